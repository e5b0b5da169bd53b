"""Where policies think: on the bot's event loop, or in worker processes.

In reading order: `thinker` (what a bot needs), `messages` (what is asked and answered), `seated` (a policy that is
asked), `here` (on the event loop); `inbox` and `worker` (what a worker process does), `process`, `pool` and
`pooled_seat` (the bot's side of it); `recipes` (how policies get there), `choosing` (which of the two), `steady` (so
that time tells nothing), and `clock` (how long a decision may take).
"""

from __future__ import annotations

"""``dragonhall certify``: does a bot, in whatever language, keep to the contract?

The bot is a process of its own, of which nothing is known but the command that starts it. It connects to a `Line`, TCP
that can be cut; behind it is a gRPC `Proxy` that shows all that passes to a `Witness`, and has a trial's `Interference`
change it; and behind that a real server, which can be killed:

    bot ── Line ── Proxy (Witness, Interference) ── server ── partners at the bot's tables

In reading order: `trials` (what befalls the bot), `table` and `bench` (what trials are written with), `witness`,
`interference`, `proxy`, `line`; `contract` has the sentences that a bot may break, `session` goes through the trials.
"""

from __future__ import annotations

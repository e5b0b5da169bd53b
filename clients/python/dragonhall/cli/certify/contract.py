"""The sentences of the protos that a bot has to keep to. A test sees to it that they still stand there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Clause:
    """One sentence, or the part of it that counts."""

    proto: str
    """Below ``protos/dragonhall/v1``."""
    text: str
    """As in the comments there, its lines joined."""


def _play(text: str) -> Clause:
    return Clause("play_service.proto", text)


WATCH: Final = Clause("game.proto", "A bot of the given name. Bot processes watch the lobby for such seats.")
LEGAL: Final = _play("Every legal action, in canonical order. Never empty.")
TICKET: Final = _play("Whenever the rules ask a seat, the seat gets a Decision with a decision_id; an answer names it.")
RESUME: Final = _play("Resume at last seen revision + 1 (or at 0, if nothing was kept).")
REPEAT: Final = _play(
    "Repeat every answer whose result has not come, as it was. If it stood already, its first result comes back."
)
RESUMABLE: Final = _play("whoever asks for last revision + 1 on a new stream continues as if nothing had happened.")
ONCE: Final = _play(
    "A decision may come more than once, and in an update of the past it may be answered since: a decision_id that was"
    " answered needs no other answer, and DECISION_ANSWERED does no harm."
)
OWN_TICKET: Final = _play(
    "In a simultaneous decision each seat has its own ticket, and answers never conflict. A ticket is answered exactly"
    " once"
)
NEWER: Final = _play(
    "Fields, kinds of events and reasons of errors that a client does not know are additions: it goes on as if they"
    " were not there."
)
DEADLINE: Final = _play("A decision of a game with a time control has a deadline")
LATE: Final = Clause("errors.proto", "the answer came too late; what stands instead comes on the stream")
MANY: Final = _play(
    "Both on one stream, for many seats and many games: attach seats, receive what Observe would send for each, and"
    " answer in batches."
)
ILLEGAL: Final = Clause("errors.proto", "Nothing is refused silently, and a refused request has changed nothing.")
MEND: Final = Clause("errors.proto", 'choose one of the prompt\'s legal actions; "rule" says why not')
OVER: Final = Clause("errors.proto", "the game waits for players, or has ended")
ENDS: Final = _play("The stream ends by itself, with OK, after the update that finished or aborted the game")
AGREE: Final = _play("the other seats have to agree if they were told anything of it but that it was answered.")
SUBSTITUTE: Final = Clause(
    "game_service.proto", "A substitute takes a vacant seat of a running game in the same way, with its bot_name."
)
TAKEN_BACK: Final = Clause("game_service.proto", "The substitute's token is worth nothing afterwards.")
UNKNOWN_GAME: Final = Clause(
    "games.proto", "A game that is added gets a new field here; readers that do not know it see an unset oneof."
)

CLAUSES: Final = tuple(value for value in list(vars().values()) if isinstance(value, Clause))
"""All of them."""

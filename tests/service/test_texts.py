"""Texts for people: which characters a title and a player's name may have, as ``game_service.proto`` says."""

from __future__ import annotations

import pytest

from dragonhall.server.refusal import Refusal
from dragonhall.server.services import checks
from tests.service.harness import Running

FLAG = "🏴" + "".join(chr(0xE0000 + ord(letter)) for letter in "gbsct") + chr(0xE007F)

TAKEN = {
    "a phoenix, joined of two emoji": "🐉\u200d🔥",
    "an emoji's variation": "❤\ufe0f",
    "Scotland's flag": FLAG,
    "Persian, with a non-joiner": "می\u200cخواهم",
    "Sinhala, with a joiner": "ශ්\u200dරී",
    "a no-break space inside": "Ann\u00a0B.",
    "an ideographic space inside": "山\u3000川",
    "combining marks": "Zoe\u0308",
    "right to left": "דרקון",
    "punctuation alone": "?!",
    "a nonbmp letter": "𝔇",
}

REFUSED = {
    "control": "a\x00b",
    "newline": "a\nb",
    "delete": "a\x7fb",
    "next line": "a\x85b",
    "line separator": "a\u2028b",
    "paragraph separator": "a\u2029b",
    "right-to-left override": "a\u202eb",
    "left-to-right embedding": "a\u202ab",
    "isolate": "a\u2066b",
    "direction mark": "a\u200fb",
    "zero-width space": "a\u200bb",
    "byte order mark": "\ufeffab",
    "private use": "a\ue000b",
    "unassigned": "a\u0378b",
    "noncharacter": "a\uffffb",
    "white space first": " ab",
    "white space last": "ab\u3000",
    "no-break space last": "ab\u00a0",
    "joiners alone": "\u200d\u200c",
    "marks alone": "\u0301\ufe0f",
    "white space alone": " ",
}


@pytest.mark.parametrize("text", TAKEN.values(), ids=TAKEN)
async def test_a_text_is_kept_as_it_was_given(server: Running, text: str) -> None:
    game_id = (await server.create(title=text)).game.game_id
    await server.take(game_id, text, seat=1)
    game = await server.game(game_id)
    assert (game.title, game.seats[1].player_name) == (text, text)


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_a_text_that_would_mislead_is_refused(text: str) -> None:
    for field in ("title", "player_name"):
        with pytest.raises(Refusal) as caught:
            checks.text(field, text, 200)
        assert caught.value.details == {"field": field}


def test_lengths_are_counted_in_code_points() -> None:
    dragon = "🐉\u200d🔥"
    assert checks.player_name(dragon * 21 + "!") == dragon * 21 + "!"
    for wrong in ("", dragon * 21 + "!!"):
        with pytest.raises(Refusal):
            checks.player_name(wrong)
    assert checks.text("title", "", 200) == ""

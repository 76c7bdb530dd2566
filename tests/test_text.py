"""What people may write: text of any script, and nothing that deceives who reads it."""

import pytest

from backroom.engine.notation import Line
from backroom.tables.service import Tables
from backroom.terminal import line_text
from backroom.text.harmless import deceives, harmless, is_blank
from sittings import ANNA, BEN, among_people, refused

GOOD = [
    "Bonjour\u202f! «\u00a0oui\u00a0»", "日本\u3000語", "👩\u200d👩\u200d👧", "می\u200cخواهم", "שלום\u200f!",
    "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "1\ufe0f\u20e3", "क्षि", "สวัสดีที่",
    "\U0001fae8",
]  # fmt: skip
BAD = {
    "a\u202eb": "U+202E (right-to-left override) as character 2",
    "x\u2066y": "U+2066 (left-to-right isolate) as character 2",
    "\x1b[31m": "U+001B as character 1",
    "tag\U000e0041": "U+E0041",
    "a\u2028b": "U+2028",
    "z" + 5 * "\u0301": "more than 4 marks stand on one letter, to character 6",
}


@pytest.mark.parametrize("text", GOOD)
def test_text_of_any_script_is_accepted(text: str) -> None:
    assert deceives(text) == ""
    assert harmless(text) == text
    assert not is_blank(text)


@pytest.mark.parametrize("text", BAD)
def test_what_deceives_is_named_with_its_place_and_never_printed(text: str) -> None:
    assert BAD[text] in deceives(text)
    assert deceives(harmless(text)) == ""
    assert deceives(line_text(Line((text,)), {}).plain) == ""


def test_what_cannot_be_seen_is_blank() -> None:
    assert is_blank(" \u200b\u2800\u3164\u00a0")


@pytest.mark.usefixtures("lockbox")
def test_talk_notes_and_titles_keep_one_rule(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN, title="Chez\u00a0nous")
    assert tables.view(table, BEN).title == "Chez nous"
    for text in GOOD:
        tables.talk(table, ANNA, text)
        tables.note(table, BEN, text)
        assert tables.view(table, BEN).talk[-1].text == text
        assert tables.view(table, BEN).notes == text
    for text, why in BAD.items():
        for call, args in ((tables.talk, (ANNA, text)), (tables.note, (BEN, text))):
            assert why in refused("E_TEXT", call, table, *args).message
    refused("E_TEXT", tables.talk, table, ANNA, "\u200b\u3164")

"""What people typed from right to left is set apart on a page, so that nothing beside it changes its place.

A name in Hebrew turns the "7 points" after it around, unless it is isolated (Unicode's UAX 9). Names stand in headings,
logs, labels, questions and refusals that many hands write, so isolation is not theirs to remember: it is done once, to
the page that has been drawn. All words of ours run from left to right; what does not was typed by somebody.
"""

import re
from collections.abc import Iterable

from markupsafe import escape

__all__ = ["isolated"]

RTL = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
"""The blocks of scripts that run from right to left."""
OTHER_BYTES = bytes(byte for byte in range(256) if not (0xD6 <= byte <= 0xE0 or byte in (0xEF, 0xF0)))
"""The bytes that no character of those blocks begins with in UTF-8: most pages have no others, which is soon seen."""
RUN = rf"[{RTL}]+(?:(?:[^\w<>{RTL}]|[0-9_])*[{RTL}]+)*"
"""Words of such a script in a row, with what stands between them."""
TAG = re.compile(r"""<(/?)([a-zA-Z][\w-]*)((?:[^"'>]|"[^"]*"|'[^']*')*)>|<![^>]*>""")
READ = re.compile(
    r"""(\s(?:alt|aria-label|aria-valuetext|data-confirm|data-tell|label|placeholder|title)=)("[^"]*"|'[^']*')"""
)
"""Attributes that people read or hear."""
KEPT = ("script", "style", "textarea")
"""Elements whose text is left as it is: a textarea's is sent back."""
PLAIN = ("title", "option")
"""Elements that have no elements in them: there, as in attributes, FSI and PDI do what <bdi> does elsewhere."""


def isolated(html: str, typed: Iterable[str] = ()) -> str:
    """A page with all that runs from right to left isolated: in <bdi>, in attributes and titles by U+2068 and U+2069.

    Where one of the texts ``typed`` stands (names, titles) it is isolated as a whole, whatever it begins with; of other
    text that somebody has typed, the words from right to left. Text in an element that has ``dir="auto"`` stands alone
    already.
    """
    if not html.encode().translate(None, OTHER_BYTES):
        return html
    known = {str(escape(text)) for text in typed if re.search(f"[{RTL}]", text)}
    words = "|".join(map(re.escape, sorted(known, key=len, reverse=True)))
    whole = rf"(?<![\w{RTL}])(?:{words})(?![\w{RTL}])|" if known else ""
    found = re.compile(whole + RUN)

    def plain(text: str) -> str:
        return found.sub("\u2068\\g<0>\u2069", text)

    def read(tag: re.Match[str]) -> str:
        return READ.sub(lambda it: it[1] + plain(it[2]), tag[0])

    pieces, end, inside, alone = [], 0, "", False
    for tag in TAG.finditer(html):
        text = html[end : tag.start()]
        if inside in KEPT or alone:
            pieces.append(text)
        else:
            pieces.append(plain(text) if inside in PLAIN else found.sub(r"<bdi>\g<0></bdi>", text))
        end, name = tag.end(), (tag[2] or "").lower()
        if inside not in KEPT or (tag[1] and name == inside):
            inside = "" if tag[1] else name if name in KEPT + PLAIN else inside
            alone = not tag[1] and name != "input" and ' dir="auto"' in (tag[3] or "")
        pieces.append(read(tag) if tag[3] and not tag[1] else tag[0])
    return "".join([*pieces, html[end:]])

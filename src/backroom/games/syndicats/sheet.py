"""A deck of Syndicats as a PDF to cut out: nine cards to a page of A4, each page followed by the backs of its cards.

The back of a card is its other side, so a card can lie on the table with either side up. Rows of the backs run from
right to left, as paper is turned over its long edge.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fpdf import FPDF

from backroom.games.syndicats.cards import ATTACK, DEFENCE, HOUSE, Card, Deck, read_deck

__all__ = ["sheet"]

ACROSS, DOWN = 3, 3
WIDTH, HEIGHT = 63.0, 88.0
"""Of a card, in millimetres."""
LEFT, TOP = (210 - ACROSS * WIDTH) / 2, (297 - DOWN * HEIGHT) / 2
INKS = {"R": (176, 48, 40), "G": (38, 120, 62), "B": (36, 78, 152), "X": (110, 110, 110)}
"""The colours of the symbols; each stands as its letter, too."""
TYPEFACE = "Helvetica"


@dataclass(frozen=True)
class Face:
    """One side of a printed card: its kind above its name, symbols in a row, demands, and what is at its foot."""

    kind: str
    name: str
    symbols: str = ""
    lines: tuple[tuple[str, str, str], ...] = ()  # a word, the symbols needed for it, and what it pays
    foot: str = ""


def sheet(text: str) -> tuple[bytes, int, list[str]]:
    """The PDF of a deck file's text (empty: the printed deck), its pages, and names that it cannot show whole.

    Refusal E_DECK_FILE for a text that is none.
    """
    deck = read_deck(text)
    page = FPDF(format="A4")
    page.set_auto_page_break(False)
    page.set_title(_shown(deck.name))
    faces = list(_faces(deck))
    for cards in _batches(faces):
        for back in (False, True):
            page.add_page()
            for place, card in enumerate(cards):
                row, column = divmod(place, ACROSS)
                column = ACROSS - 1 - column if back else column
                _draw(page, card[back], LEFT + column * WIDTH, TOP + row * HEIGHT)
    missing = sorted({face.name for card in faces for face in card if _shown(face.name) != face.name})
    return bytes(page.output()), page.page, missing


def _batches(faces: Sequence[tuple[Face, Face]]) -> Iterator[Sequence[tuple[Face, Face]]]:
    for first in range(0, len(faces), ACROSS * DOWN):
        yield faces[first : first + ACROSS * DOWN]


def _shown(text: str) -> str:
    """A text as far as the typeface has its letters."""
    return text.encode("cp1252", "replace").decode("cp1252")


def _faces(deck: Deck) -> Iterator[tuple[Face, Face]]:
    for card in deck.cards:
        sides = [_face(deck, card, side) for side in card.sides]
        yield sides[0], sides[-1] if len(sides) > 1 else Face("", "", foot=card.id)
    for dog in deck.dogs:
        yield Face("dog", dog.name, foot=dog.id), Face("dog", dog.name, foot=dog.id)
    for kitten in deck.kittens:
        yield (
            Face("shadow kitten", kitten.name, kitten.cat, foot=_foot(kitten.id, kitten.special)),
            Face("shadow kitten", kitten.name, kitten.cat2, foot=_foot(kitten.id, kitten.special2)),
        )
    for lair in deck.lairs:
        yield (
            Face("secret lair", lair.name, lines=(("pays", "", f"{lair.pays}"),), foot=_foot(lair.id, lair.special)),
            Face("secret lair", lair.name, lines=(("pays", "", f"{lair.pays2}"),), foot=_foot(lair.id, lair.special2)),
        )


def _foot(name: str, special: str) -> str:
    return f"{special}  -  {name}" if special else name


def _face(deck: Deck, card: Card, side: int) -> Face:
    if side == HOUSE:
        demands = (("trash", card.trash), ("keep", card.keep))
        lines = tuple((word, demand[0], str(demand[1])) for word, demand in demands if demand is not None)
        place = f"district {card.place}  -  {card.id}" if card.place else card.id
        return Face("house", card.house, lines=lines, foot=place)
    special = {ATTACK: "attack", DEFENCE: "defence"}.get(side, card.special)
    upkeep = f"  -  upkeep {card.upkeep}" if card.upkeep else ""
    return Face("cat", card.called(side), card.cat, foot=_foot(card.id, special) + upkeep)


def _draw(page: FPDF, face: Face, x: float, y: float) -> None:
    page.set_draw_color(150)
    page.rect(x, y, WIDTH, HEIGHT)
    page.set_text_color(90)
    page.set_font(TYPEFACE, size=8)
    _line(page, face.kind, x, y + 4)
    page.set_text_color(0)
    page.set_font(TYPEFACE, "B", 12)
    page.set_xy(x + 4, y + 10)
    page.multi_cell(WIDTH - 8, 5.5, _shown(face.name), align="C")
    _symbols(page, face.symbols, x + WIDTH / 2, y + 44, 5.5)
    for place, (word, needs, pays) in enumerate(face.lines):
        height = y + 40 + 18 * place
        page.set_font(TYPEFACE, size=10)
        page.set_text_color(0)
        page.text(x + 5, height + 1.2, word)
        _symbols(page, needs, x + WIDTH / 2 + 2, height, 3.2)
        page.set_font(TYPEFACE, "B", 14)
        page.set_text_color(0)
        page.text(x + WIDTH - 11, height + 1.8, pays)
    page.set_text_color(90)
    page.set_font(TYPEFACE, size=8)
    _line(page, face.foot, x, y + HEIGHT - 8)


def _line(page: FPDF, text: str, x: float, y: float) -> None:
    page.set_xy(x, y)
    page.cell(WIDTH, 4, _shown(text), align="C")


def _symbols(page: FPDF, symbols: str, middle: float, y: float, radius: float) -> None:
    """Discs with a letter in a row; as small as a row of twelve needs to be."""
    radius = min(radius, (WIDTH - 26) / 2.3 / max(len(symbols), 1))
    step = 2.3 * radius
    for place, letter in enumerate(symbols):
        x = middle + (place - (len(symbols) - 1) / 2) * step
        page.set_fill_color(*INKS[letter])
        page.circle(x, y, radius, style="F")
        page.set_text_color(255)
        page.set_font(TYPEFACE, "B", 3.2 * radius)
        page.text(x - 0.36 * radius, y + 0.4 * radius, letter)

"""The start positions: 66 layouts for two players, one for three, one for two teams.

The data is in `data/layouts.json`, read on first use.

>>> from sumito import layouts
>>> layouts.get("belgian-daisy").name, len(layouts.of("two"))
('Belgian Daisy', 66)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from sumito.errors import ColourError, LayoutError
from sumito.i18n.messages import N_, NN_
from sumito.position import Position
from sumito.rules.cells import Mask, parse_cells
from sumito.rules.modes import BLACK, Colour, Mode
from sumito.validate import check_type, parsed

STANDARD = "standard"


@dataclass(frozen=True, slots=True)
class Layout:
    """A start position with its name and origin.

    Its text is its id, and its mode where that isn't `two`: `belgian-daisy`, `teams teams-double`.
    """

    id: str
    name: str
    mode: Mode
    marbles: tuple[Mask, ...]
    """The cells of each colour of the mode, in the order of the colours."""
    name_fr: str = ""
    author: str = ""
    fair: bool = True
    """Whether some symmetry of the board swaps the colours."""
    used_by: tuple[str, ...] = ()

    @staticmethod
    def parse(text: str) -> Layout:
        """Return the layout of a text."""
        id, _, mode = str(text).partition(" ")
        return get(id, mode or Mode.TWO)

    def __str__(self) -> str:
        return self.id if self.mode is Mode.TWO else f"{self.id} {self.mode}"


@cache
def _read() -> dict[Mode, dict[str, Layout]]:
    # Imported here, not above, so that `import sumito` stays quick.
    import json
    from importlib import resources

    text = resources.files("sumito").joinpath("data/layouts.json").read_text(encoding="utf-8")
    data = json.loads(text)
    # The double turn changes the order of play, not the start.
    data[Mode.TEAMS_DOUBLE] = data[Mode.TEAMS]
    return {
        mode: {id: _layout(id, mode, entry) for id, entry in data[mode].items()} for mode in Mode
    }


def _layout(id: str, mode: Mode, entry: dict[str, object]) -> Layout:
    used_by = entry.get("used_by", ())
    assert isinstance(used_by, list | tuple)
    return Layout(
        id=id,
        name=str(entry["name"]),
        mode=mode,
        marbles=tuple(parse_cells(str(entry[str(colour)])) for colour in mode.colours),
        name_fr=str(entry.get("name_fr", "")),
        author=str(entry.get("author", "")),
        fair=bool(entry.get("fair", True)),
        used_by=tuple(map(str, used_by)),
    )


def of(mode: Mode | str = Mode.TWO) -> dict[str, Layout]:
    """Return all layouts of a mode by id."""
    return dict(_read()[Mode.parse(mode)])


def get(id: str | None = None, mode: Mode | str = Mode.TWO) -> Layout:
    """Return a layout by its id; the mode's default layout without one."""
    mode = Mode.parse(mode)
    known = _read()[mode]
    if id is None:
        id = STANDARD if mode is Mode.TWO else next(iter(known))
    check_type("layout", id, str)
    try:
        return known[id]
    except KeyError:
        pass
    if "/" in id:
        raise LayoutError(
            N_("{id!r} is a position, not the name of a layout; Board.parse reads positions"),
            code="layout-is-position",
            id=id,
        )
    import difflib

    for other in Mode:
        if id in _read()[other]:
            raise LayoutError(
                N_("no layout {id!r} for mode {mode}; it is one of mode {other}"),
                code="layout-of-other-mode",
                id=id,
                mode=mode,
                other=other,
            )
    near = tuple(difflib.get_close_matches(str(id)[:60], known, n=3, cutoff=0.5))
    if near:
        raise LayoutError(
            N_("no layout {id!r} for mode {mode}; did you mean {near}?"),
            code="layout-misspelt",
            id=id,
            mode=mode,
            near=near,
        )
    raise LayoutError(
        NN_(
            "no layout {id!r} for mode {mode}; there is {count}",
            "no layout {id!r} for mode {mode}; there are {count}",
        ),
        id=str(id),
        mode=mode,
        count=len(known),
    )


def start(
    id: str | None = None,
    mode: Mode | str = Mode.TWO,
    *,
    first: Colour = BLACK,
    captured: Sequence[int] | None = None,
) -> Position:
    """Return the start position of a layout; `captured` is a handicap: ejections at the start.

    `first` begins in three and four; between two, black always does.
    """
    mode = Mode.parse(mode)
    first = mode.order[0] if mode is Mode.TWO else first
    first = parsed("first", first, Colour)
    if first not in mode.colours:
        raise ColourError(
            N_("{colour} can't begin: mode {mode} has no {colour}"),
            code="cannot-begin",
            colour=first,
            mode=mode,
        )
    if captured is not None:
        check_type("captured", captured, Iterable)
    counts = (0,) * len(mode.sides) if captured is None else tuple(captured)
    return Position(get(id, mode).marbles, first, counts, mode=mode)


def find(marbles: tuple[Mask, ...], mode: Mode) -> Layout | None:
    """Return the layout with exactly these marbles, if there is one."""
    check_type("marbles", marbles, tuple)
    mode = Mode.parse(mode)
    for layout in _read()[mode].values():
        if layout.marbles == marbles:
            return layout
    return None

"""Renders a board as a PNG, for link previews and other viewers without SVG.

Everything is discs and a hexagon, drawn as runs of one colour in rows of palette indices and
compressed by the standard library's zlib.
"""

from __future__ import annotations

import math
import struct
import zlib
from typing import Final

from sumito.rules.board import Board
from sumito.rules.cells import CELLS
from sumito.rules.modes import Colour
from sumito.validate import check_type

WIDTH: Final = 1200
HEIGHT: Final = 630
"""The usual size of link previews."""

_PALETTE: Final = bytes.fromhex(
    "f5f0e8"  # page
    "9a6537"  # frame
    "4a2d18"  # groove
    "d9ac74"  # top
    "b98b55"  # dent
    "08090b24262b6b6f78"  # black: edge, body, light
    "9d917aece5d7ffffff"  # white
    "8e1d0de0472bff9a76"  # red
    "0b2c701f62cf7db4ff"  # blue
)
_PAGE, _FRAME, _GROOVE, _TOP, _DENT = range(5)
_MARBLE: Final = {Colour.BLACK: 5, Colour.WHITE: 8, Colour.RED: 11, Colour.BLUE: 14}

_STEP: Final = 66.0
_HOLES: Final = 4 * _STEP
_ROUND: Final = ((0.98 * _STEP, _FRAME), (0.62 * _STEP, _GROOVE), (0.52 * _STEP, _TOP))
"""The distances of frame, groove and surface beyond the outermost holes."""


def board(board: Board) -> bytes:
    """Return the board as PNG, black's side at the bottom."""
    return _png(_rows(board))


def rgb(board: Board) -> bytes:
    """Return the picture as raw pixels: rows from the top, red, green and blue of each."""
    paints = [_PALETTE[at : at + 3] for at in range(0, len(_PALETTE), 3)]
    return b"".join(paints[paint] for row in _rows(board) for paint in row)


def _rows(board: Board) -> list[bytearray]:
    """Return the palette indices, row by row."""
    check_type("board", board, Board)
    rows = [bytearray([_PAGE]) * WIDTH for _ in range(HEIGHT)]
    for beyond, paint in _ROUND:
        _hexagon(rows, beyond, paint)
    for cell in CELLS:
        digit, row = cell.digit - 5, cell.row - 4
        x = WIDTH / 2 + _STEP * (digit - row / 2)
        y = HEIGHT / 2 - _STEP * math.sqrt(3) / 2 * row
        colour = board[cell]
        if colour is None:
            _disc(rows, x, y, 0.4 * _STEP, _DENT)
        else:
            edge = _MARBLE[colour]
            _disc(rows, x, y, 0.45 * _STEP, edge)
            _disc(rows, x - 1.5, y - 1.5, 0.41 * _STEP, edge + 1)
            _disc(rows, x - 9, y - 11, 0.12 * _STEP, edge + 2)
    return rows


def _disc(rows: list[bytearray], x: float, y: float, radius: float, paint: int) -> None:
    for at in range(math.ceil(y - radius), math.floor(y + radius) + 1):
        half = math.sqrt(radius * radius - (at - y) ** 2)
        _run(rows, at, x - half, x + half, paint)


def _hexagon(rows: list[bytearray], beyond: float, paint: int) -> None:
    """Draw a hexagon with round corners: each row extends to its corner discs and its sides."""
    tall = _HOLES * math.sqrt(3) / 2 + beyond
    for at in range(math.ceil(HEIGHT / 2 - tall), math.floor(HEIGHT / 2 + tall) + 1):
        down = abs(at - HEIGHT / 2)
        half = _reach(down, beyond)
        _run(rows, at, WIDTH / 2 - half, WIDTH / 2 + half, paint)


def _reach(down: float, beyond: float) -> float:
    """Return half the width of the hexagon at that distance from its middle row."""
    high = _HOLES * math.sqrt(3) / 2
    if down > high + beyond / 2:
        return _HOLES / 2 + math.sqrt(max(0.0, beyond**2 - (down - high) ** 2))
    if down < beyond / 2:
        return _HOLES + math.sqrt(beyond**2 - down**2)
    return _HOLES + (2 * beyond - down) / math.sqrt(3)


def _run(rows: list[bytearray], at: int, start: float, end: float, paint: int) -> None:
    if 0 <= at < HEIGHT:
        first, last = max(0, round(start)), min(WIDTH, round(end))
        if last > first:
            rows[at][first:last] = bytes([paint]) * (last - first)


def _png(rows: list[bytearray]) -> bytes:
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 3, 0, 0, 0)
    content = b"".join(b"\0" + row for row in rows)
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", header)
        + _chunk(b"PLTE", _PALETTE)
        + _chunk(b"IDAT", zlib.compress(content, 6))
        + _chunk(b"IEND", b"")
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

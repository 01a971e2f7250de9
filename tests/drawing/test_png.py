"""Boards as PNG files that any program can read."""

import struct
import zlib

from sumito.drawing import png
from sumito.rules.board import Board


def pixels(data):
    """The palette and the rows of an indexed PNG."""
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    at, chunks = 8, {}
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        content = data[at + 8 : at + 8 + length]
        (check,) = struct.unpack(">I", data[at + 8 + length : at + 12 + length])
        assert check == zlib.crc32(kind + content)
        chunks[kind] = content
        at += 12 + length
    width, height = struct.unpack(">II", chunks[b"IHDR"][:8])
    raw = zlib.decompress(chunks[b"IDAT"])
    rows = [raw[y * (width + 1) + 1 : (y + 1) * (width + 1)] for y in range(height)]
    palette = [chunks[b"PLTE"][k : k + 3].hex() for k in range(0, len(chunks[b"PLTE"]), 3)]
    return palette, rows


def test_a_board_is_a_picture_with_its_marbles_where_they_stand():
    palette, rows = pixels(png.board(Board()))
    assert (len(rows[0]), len(rows)) == (png.WIDTH, png.HEIGHT)
    middle = png.WIDTH // 2
    black, white = palette.index("24262b"), palette.index("ece5d7")
    assert rows[png.HEIGHT // 2 + 228][middle] == black
    assert rows[png.HEIGHT // 2 - 228][middle] == white
    assert palette[rows[0][0]] == "f5f0e8"


def test_every_colour_of_a_mode_is_in_the_picture():
    palette, rows = pixels(png.board(Board("teams", "teams")))
    seen = {palette[value] for row in rows for value in row}
    assert {"24262b", "ece5d7", "e0472b", "1f62cf"} <= seen

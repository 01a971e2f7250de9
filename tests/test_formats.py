"""The pages that tell other programs our formats: every number in them is the code's."""

import re
import struct
from dataclasses import fields
from pathlib import Path

import sumito
from sumito import kernel
from sumito.engine import network
from sumito.game.clock import Control
from sumito.lab.learn import samples
from sumito.record.files import LONGEST_GAME
from sumito.record.reader import LONGEST_TAG
from sumito.record.tree import DEEPEST

FORMATS = Path(__file__).parent.parent / "docs" / "reference" / "formats"


def page(name):
    return (FORMATS / f"{name}.md").read_text("utf-8")


def section(name, title):
    return page(name).partition(f"## {title}\n")[2].partition("\n## ")[0]


def row(text, start):
    """The cells of the row of a table that begins so."""
    line = next(line for line in text.splitlines() if line.startswith(f"| {start}"))
    return [cell.strip() for cell in line.strip("|").split("|")]


def number(pattern, text):
    found = re.search(pattern, text)
    assert found is not None, pattern
    return int(found[1].replace(",", ""))


def test_samples():
    text = section("files", "Sample files")
    assert number(r"\| 4 \| version, (\d+) \|", text) == samples.VERSION
    assert f"`{samples.MAGIC.decode()}`" in text
    assert number(r"\| (\d+) · samples \|", text) == kernel.SAMPLE_BYTES
    keys = re.findall(r"`(\w+)`", row(text, "L | header")[1].replace("`none`", ""))
    assert keys == [field.name for field in fields(samples.ChunkHeader)]
    offsets = [int(at) for at in re.findall(r"^\| (\d+) \| \S+ ?(?:× )?u?int", text, re.MULTILINE)]
    assert offsets == sorted(offsets)
    assert offsets[-1] + 1 == kernel.SAMPLE_BYTES


def test_networks():
    text = section("files", "Network files")
    data = (Path(sumito.__file__).parent / "data" / "network.bin").read_bytes()
    table = re.findall(r"^\| ([a-z-]+) \| (\d+) \| (\d+) \| (\d+) \|", text, re.MULTILINE)
    shapes = {(int(i), int(o)): (mode, int(v)) for mode, i, v, o in table}
    widths = {int(width) for width in re.findall(r"\d+", row(text, "4 | hidden")[1])}
    seconds = {int(one) for one in re.findall(r"\d+", row(text, "4 | neurons")[1].split(",")[0])}
    found = []
    while data:
        magic, version, inputs, hidden, outputs, _, facts, _, second = struct.unpack_from(
            "<8s8I", data
        )
        assert f"`{magic.decode()}`" in text
        assert number(r"\| 4 \| version, (\d+) \|", text) == version
        assert hidden in widths
        assert second in seconds
        mode, views = shapes[inputs, outputs]
        found.append(mode)
        width = views * hidden
        size = 40 + facts + 2 * (inputs * hidden + hidden + outputs * width) + 4 * outputs
        data = data[size + outputs * second * (width + 4 + 4) :]
    assert found == [mode for mode, *_ in table] == [part.mode for part in network.load().parts]


def test_moves():
    text = page("moves")
    assert number(r"There are ([\d,]+) moves", text) == len(sumito.MOVES)
    in_line = [move for move in sumito.MOVES if not move.is_side_step]
    assert number(r"1\. (\d+) in line", text) == len(in_line)
    assert number(r"2\. (\d+) side-steps", text) == len(sumito.MOVES) - len(in_line)


def test_records():
    text = page("records")
    assert number(r"nest at most (\d+) deep", text) == DEEPEST
    assert number(r"a game has at most ([\d,]+) characters", text) == LONGEST_GAME
    assert number(r"a tag's line ([\d,]+)\.", text) == LONGEST_TAG
    (controls,) = re.findall(r"`TimeControl` is (.*?) in seconds", text)
    for control in re.findall(r"`([^`]+)`", controls):
        assert str(Control.parse(control)) == control


def test_positions():
    text = page("positions")
    (lengths,) = re.findall(r"lengths (\d(?: \d){8})", text)
    counted = [sum(str(cell).startswith(row) for cell in sumito.CELLS) for row in "ihgfedcba"]
    assert [int(length) for length in lengths.split()] == counted
    assert str(sumito.Board().position) in text


def test_numbers_of_cells():
    """By the formula each of the six steps is one rotation of a word of 61 bits."""
    assert "(digit − 1 + 13 · row) mod 61 with row a = −4 … i = +4" in page("positions")
    numbers = {
        cell: (int(str(cell)[1]) - 1 + 13 * ("abcdefghi".index(str(cell)[0]) - 4)) % 61
        for cell in sumito.CELLS
    }
    assert sorted(numbers.values()) == list(range(61))
    for direction in sumito.DIRECTIONS:
        steps = {
            (numbers[cell.step(direction)] - number) % 61
            for cell, number in numbers.items()
            if cell.step(direction) is not None
        }
        assert len(steps) == 1

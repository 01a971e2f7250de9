"""A reference implementation of the rules, cell by cell, to test the library against.

Deliberately slow and simple: a board is a dict from (row, digit) to a letter, every rule walks over
cells, and nothing is imported from the library. Input and output are texts.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

Spot = tuple[int, int]
"""A cell as (row, digit); row a is 1, row i is 9."""

STEPS = {"E": (0, 1), "NE": (1, 1), "NW": (1, 0), "W": (0, -1), "SW": (-1, -1), "SE": (-1, 0)}
DIGITS = {
    1: range(1, 6),
    2: range(1, 7),
    3: range(1, 8),
    4: range(1, 9),
    5: range(1, 10),
    6: range(2, 10),
    7: range(3, 10),
    8: range(4, 10),
    9: range(5, 10),
}
SPOTS = [(row, digit) for row in range(1, 10) for digit in DIGITS[row]]
BOARD = set(SPOTS)
ORDER = {"two": "bw", "three": "bwr", "teams": "bwru", "teams-double": "brwu"}
TEAMS = {"two": ["b", "w"], "three": ["b", "w", "r"], "teams": ["br", "wu"]}
TEAMS["teams-double"] = TEAMS["teams"]


@dataclass(frozen=True)
class Options:
    """The options of the rule set, as words and numbers."""

    win_at: int = 6
    repetition: int | None = None
    ply_limit: int | None = None
    stuck: str = "by-mode"
    partner_sidestep: str = "any"


@dataclass(frozen=True)
class ReferenceReferee:
    mode: str
    marbles: dict[Spot, str]
    turn: str
    captured: tuple[int, ...]
    quiet: int
    ply: int
    out: str = ""
    options: Options = Options()
    seen: tuple[tuple[object, ...], ...] = ()
    """The positions since the last ejection, this one last."""
    cache: dict[str, dict[str, list[Spot]]] = field(default_factory=dict, compare=False)

    # Reading and writing.

    @staticmethod
    def read(text: str, options: Options) -> ReferenceReferee:
        """Return the position of a valid text."""
        rows, turn, captured, quiet, ply, *rest = text.split(" ")
        marbles = {}
        for row, letters in zip(range(9, 0, -1), rows.split("/"), strict=True):
            spread = "".join("." * int(char) if char.isdigit() else char for char in letters)
            for digit, char in zip(DIGITS[row], spread, strict=True):
                if char != ".":
                    marbles[row, digit] = char
        mode = rest[0] if rest else "two"
        out = rest[1].removeprefix("out:") if len(rest) > 1 else ""
        counts = tuple(int(count) for count in captured.split(","))
        start = ReferenceReferee(mode, marbles, turn, counts, int(quiet), int(ply), out, options)
        return start._with_turn(turn)

    def write(self) -> str:
        rows = []
        for row in range(9, 0, -1):
            text, gap = "", 0
            for digit in DIGITS[row]:
                if (row, digit) not in self.marbles:
                    gap += 1
                    continue
                text += f"{gap or ''}{self.marbles[row, digit]}"
                gap = 0
            rows.append(f"{text}{gap or ''}")
        fields = ["/".join(rows), self.turn, ",".join(map(str, self.captured))]
        fields += [str(self.quiet), str(self.ply)]
        if self.mode != "two":
            fields.append(self.mode)
        if self.out:
            fields.append("out:" + "".join(sorted(self.out, key="bwru".index)))
        return " ".join(fields)

    # Legal moves.

    def friends(self, player: str) -> str:
        return next(team for team in TEAMS[self.mode] if player in team)

    def names(self) -> list[str]:
        """Return the legal moves by their Aba-Pro names."""
        return [] if self.outcome() else list(self._moves(self.turn))

    def _moves(self, player: str) -> dict[str, list[Spot]]:
        """Return the names of a player's moves, each with the cells whose marbles move one step."""
        if player not in self.cache:
            moves = {}
            for spot in self.marbles:
                if self.marbles[spot] == player:
                    for way in STEPS:
                        going = self._in_line(player, spot, way)
                        if going:
                            moves[name(spot) + name(ahead(spot, way))] = going
                for group in rows_from(spot):
                    if self._may_side_step(player, group):
                        for way in STEPS:
                            if off_line(group, way) and self._is_clear(group, way):
                                text = name(spot) + name(group[-1]) + name(ahead(spot, way))
                                moves[text] = group
            self.cache[player] = moves
        return self.cache[player]

    def _in_line(self, player: str, rear: Spot, way: str) -> list[Spot]:
        """Return the cells whose marbles move with the rear one; empty if the move is illegal."""
        friends = self.friends(player)
        row, spot = [], rear
        while spot in self.marbles and self.marbles[spot] in friends:
            row.append(spot)
            spot = ahead(spot, way)
        opposing = []
        while spot in self.marbles and self.marbles[spot] not in friends:
            opposing.append(spot)
            spot = ahead(spot, way)
        if len(row) > 3 or spot in self.marbles:
            return []
        if not opposing:
            return row if spot in BOARD else []
        allowed = [(2, 1), (3, 1), (3, 2)]
        return row + opposing if (len(row), len(opposing)) in allowed else []

    def _may_side_step(self, player: str, group: list[Spot]) -> bool:
        owners = [self.marbles.get(spot, "-") for spot in group]
        usable = self.friends(player) if self.options.partner_sidestep == "any" else player
        return player in owners and all(owner in usable for owner in owners)

    def _is_clear(self, group: list[Spot], way: str) -> bool:
        targets = [ahead(spot, way) for spot in group]
        return all(spot in BOARD and spot not in self.marbles for spot in targets)

    # A turn.

    def play(self, move: str) -> ReferenceReferee:
        going = self._moves(self.turn)[move]
        lands = move[4:] or move[2:]
        way = next(way for way in STEPS if name(ahead(going[0], way)) == lands)
        marbles = {spot: letter for spot, letter in self.marbles.items() if spot not in going}
        captured, quiet, seen = list(self.captured), self.quiet + 1, self.seen
        for spot in going:
            if ahead(spot, way) in BOARD:
                marbles[ahead(spot, way)] = self.marbles[spot]
            else:
                captured[TEAMS[self.mode].index(self.friends(self.turn))] += 1
                quiet, seen = 0, ()
        after = replace(
            self,
            marbles=marbles,
            captured=tuple(captured),
            quiet=quiet,
            ply=self.ply + 1,
            seen=seen,
            cache={},
        )
        return after._with_turn(self._following(self.turn))

    def _following(self, player: str) -> str:
        order = ORDER[self.mode]
        return order[(order.index(player) + 1) % len(order)]

    def _stuck_rule(self) -> str:
        if self.options.stuck == "by-mode":
            return "loses" if self.mode == "two" else "passes"
        return self.options.stuck

    def _with_turn(self, player: str) -> ReferenceReferee:
        """Return this position with the turn at that player, or the next that can act."""
        rule, out = self._stuck_rule(), self.out
        candidates = []
        for _ in ORDER[self.mode]:
            candidates.append(player)
            player = self._following(player)
        turn = next(one for one in candidates if one not in out)
        for one in candidates:
            if one in out:
                continue
            if (self.mode == "two" and rule != "passes") or self._moves(one):
                turn = one
                break
            if rule == "loses" and self.mode == "three" and len(out) < 2:
                out += one
            elif rule != "passes":
                turn = one
                break
        key = (tuple(sorted(self.marbles.items())), turn, "".join(sorted(out)))
        return replace(self, turn=turn, out=out, seen=(*self.seen, key))

    # The end.

    def outcome(self) -> tuple[str | None, str] | None:
        """Return the winning side's first letter (or None) and the reason; None during the game."""
        teams = TEAMS[self.mode]
        for team, count in zip(teams, self.captured, strict=True):
            if count >= self.options.win_at:
                return team[0], "ejected"
        still_in = [team for team in teams if any(letter not in self.out for letter in team)]
        if len(still_in) == 1:
            return still_in[0][0], "last-in"
        if not self._moves(self.turn):
            if self._stuck_rule() == "loses":
                other = next(team for team in teams if self.turn not in team)
                return other[0], "no-move"
            return None, "no-move"
        if self.options.repetition and self.seen.count(self.seen[-1]) >= self.options.repetition:
            return None, "repetition"
        if self.options.ply_limit and self.ply > self.options.ply_limit:
            best = max(self.captured)
            first = [team[0] for team, n in zip(teams, self.captured, strict=True) if n == best]
            return first[0] if len(first) == 1 else None, "ply-limit"
        return None


def ahead(spot: Spot, way: str) -> Spot:
    return spot[0] + STEPS[way][0], spot[1] + STEPS[way][1]


def rows_from(first: Spot) -> list[list[Spot]]:
    """Return the rows of two and three cells with lower end `first`, on the board or not."""
    rows = []
    for axis in ("E", "NE", "NW"):
        second = ahead(first, axis)
        rows += [[first, second], [first, second, ahead(second, axis)]]
    return rows


def off_line(group: list[Spot], way: str) -> bool:
    """Whether a step that way leaves the line of the group."""
    return ahead(group[0], way) != group[1] and ahead(group[1], way) != group[0]


def name(spot: Spot) -> str:
    return f"{'?abcdefghi?'[spot[0]]}{spot[1]}"

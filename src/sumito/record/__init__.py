"""Records of games in APGN, the community's PGN, read and written as a stream.

A file is a sequence of games: tag lines, a blank line, move text that ends with the result, a blank
line. A record is valid only if it replays, so everything here is checked against the board.

>>> from sumito import record
>>> game = next(record.parse('''
... [Event "Club evening"]
... [Date "2024.03.01"]
... [Black "Ann"]
... [White "Ben"]
... [Variant "standard"]
... [Result "1-0"]
... [Notation "Aba-Pro"]
...
... 1. a1b2 i9h8 {[%clk 0:09:58] careful} 2. b2c3 1-0
... '''))
>>> game.tags["White"], game.result, [str(move) for move in game.moves]
('Ben', '1-0', ['a1b2', 'i9h8', 'b2c3'])
>>> game.nodes[1].clock, game.nodes[1].comment
(598000, 'careful')

**Numbers.** A number covers one round of the mode's order of turns: `1. b w r 2. b w r`. It goes up
when the order wraps around, so a player who is passed over leaves a gap and shifts nothing. A text
that begins in the middle of a round begins with `1...`. The first number follows from the ply of
the start position.

**Results.** Between two sides `1-0` (black's side won), `0-1`, `1/2-1/2`; between three players one
figure each, `0-1-0`; a draw is `1/2` for each player still in and `0` for each who is out. `*` is a
game without a known end and may stand anywhere.

**Comments** are running text: blanks and line ends count as one blank, several comments on a move
are joined. They can contain commands: the clock after the move, `[%clk 0:09:58.5]`, an evaluation,
`[%eval 1.25]`, and, in `three`, a player who left at this point, `[%out red]`. A comment can't
contain a brace. Text from a `;` to the end of the line is a comment too. Annotations after a move,
`!` `?!` or `$6`, are read and written as numbers.

**The tree.** `game.root` is the node before the first move; `node.next` is the next node of the
line, `node.variations` its alternatives, `node.board()` the board. `add`, `promote`, `delete` and
the attributes of a node edit the tree.

**Many games.** `scan` lists the games of a file by their tags without reading moves; `entry.read()`
reads one game.

**Additional tags**: `Mode`, `Red`, `Blue`, `Notation "PlayStrategy"`, and `Rules` if a game wasn't
played by the rulebook (`tournament`, or options as `win_at=4 repetition=3`). A `Position` is
written as APGN has it, or as a full position text where APGN's would lose something.
"""

from sumito.errors import RecordError
from sumito.record.header import Header
from sumito.record.reader import Entry, parse, read, scan
from sumito.record.record import Record
from sumito.record.tree import Node
from sumito.record.writer import write

__all__ = ["Entry", "Header", "Node", "Record", "RecordError", "parse", "read", "scan", "write"]

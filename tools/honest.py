"""At 100 ms a move against the honest depth-4 alpha-beta: 20 layouts, both sides."""
import sys, time
sys.path.insert(0, "build")
import _core
names = [line.split(" ", 1) for line in open("data/two.txt")][:20]
t = time.time()
m = _core.Match(_core.Player(movetime_ms=100, hash_mb=16), _core.Player("alpha-beta", depth=4), [x[1].strip() for x in names], games=40, repetition=3, ply_limit=400)
seen = 0
while not m.done:
    time.sleep(2)
    for g in m.games(seen):
        seen += 1
        if g.points < 1: print("not won:", names[[x[1].strip() for x in names].index(g.start)][0], g.seats, g.reason, len(g.moves), flush=True)
print(m.score(), f"{time.time()-t:.0f} s", sum(len(g.moves) for g in m.games()) / 40, "plies a game", "slowest", max(g.slowest_ms for g in m.games()), "ms")

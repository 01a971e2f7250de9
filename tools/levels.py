"""Each level against the one below: python tools/levels.py [games] [first] [last]."""
import sys, time
sys.path.insert(0, "build")
import _core
LAYOUTS = [line.split(" ", 1)[1].strip() for line in open("data/two.txt")][:10]
FULL = dict(nodes=15000)  # stands for the full strength of level 10


def player(i):
    return _core.Player(**(FULL if i == 10 else {}), hash_mb=2, handicap=_core.level(i))


games = int(sys.argv[1]); first = int(sys.argv[2]); last = int(sys.argv[3])
for i in range(first, last + 1):
    t = time.time()
    below = _core.Player("random") if i == 1 else player(i - 1)
    m = _core.Match(player(i), below, LAYOUTS, games=games, random_plies=4, seed=i, ply_limit=300)
    m.wait()
    w, d, l = m.score()
    print(f"level {i} v {i - 1 or 'random'}: +{w} ={d} -{l}  {100 * (w + d / 2) / (w + d + l):.1f} %  {time.time() - t:.0f} s", flush=True)

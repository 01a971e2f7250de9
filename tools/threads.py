"""Time and nodes to a depth with one thread and with two."""
import sys
sys.path.insert(0, "build")
import _core
TEXTS = [line.split(" ", 1)[1].strip() for line in open("data/two.txt")][:8]
depth = int(sys.argv[1])
total = {1: [0, 0], 2: [0, 0]}
for text in TEXTS:
    for n in (1, 2):
        s = _core.Searcher(n, 64)
        r = s.search(_core.Position(text), depth=depth)
        total[n][0] += r.ms; total[n][1] += r.nodes
    print(total, flush=True)
print(f"two threads {total[1][0] / total[2][0]:.2f} times sooner")

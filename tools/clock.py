"""Does the engine keep its clock? Games at several time controls, and single moves with 20 ms left."""
import sys, time
sys.path.insert(0, "build")
import _core
START = "ww1bb/wwwbbb/1ww1bb1/8/9/8/1bb1ww1/bbbwww/bb1ww b 0,0 0 1"
for base, inc, mtg in ((1000, 0, 0), (500, 10, 0), (400, 0, 10)):
    s = _core.Searcher(1, 8); p = _core.Position(START, repetition=3, ply_limit=200)
    clocks = [base, base]; least = base; n = 0
    while p.outcome() is None:
        side = p.turn
        t = time.perf_counter()
        r = s.search(p, clock=(int(clocks[side]), inc, (mtg - n // 2 % mtg) if mtg else 0))
        clocks[side] -= 1000 * (time.perf_counter() - t)
        least = min(least, clocks[side]); clocks[side] += inc
        p.push(r.best); n += 1
        if mtg and n % (2 * mtg) == 0: clocks = [c + base for c in clocks]
    print(f"{base}+{inc} ms, {mtg or 'all'} moves: {n} plies, least time left {least:.0f} ms, {p.outcome()}", flush=True)
worst = 0
p = _core.Position(START)
for _ in range(200):
    t = time.perf_counter(); s.search(p, clock=(20, 0, 0)); worst = max(worst, 1000 * (time.perf_counter() - t))
print(f"with 20 ms left: slowest of 200 moves {worst:.1f} ms")

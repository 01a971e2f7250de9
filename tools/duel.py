"""A paired match between two settings: python tools/duel.py "a settings" "b settings" games nodes|ms:N [mode]."""
import math
import sys
import time

sys.path.insert(0, "build")
import _core

MODES = {
    "three": ["ww1rr/ww2rr/ww3rr/ww4rr/ww5rr/w6r/7/bbbbbb/bbbbb b 0,0,0 0 1 three"],
    "teams": ["rrrr1/1rrr1u/2rr1uu/5uuu/www3uuu/www5/ww1bb2/w1bbb1/1bbbb b 0,0 0 1 teams"],
    "teams-double": ["rrrr1/1rrr1u/2rr1uu/5uuu/www3uuu/www5/ww1bb2/w1bbb1/1bbbb b 0,0 0 1 teams-double"],
}
LAYOUTS = [line.split(" ", 1)[1].strip() for line in open("data/two.txt")]


def settings(text):
    return {k: int(v) for k, v in (part.split("=") for part in text.split())}


def elo(w, d, l):
    n = w + d + l
    p = (w + d / 2) / n
    se = math.sqrt(max(1e-9, (w * (1 - p) ** 2 + d * (0.5 - p) ** 2 + l * p**2) / n / n))
    f = lambda x: -400 * math.log10(1 / min(max(x, 1e-3), 1 - 1e-3) - 1)
    return f(p), (f(p + 1.96 * se) - f(p - 1.96 * se)) / 2, p


def main():
    a, b, games, limit = sys.argv[1:5]
    mode = sys.argv[5] if len(sys.argv) > 5 else "two"
    lim = {"movetime_ms": int(limit[3:])} if limit.startswith("ms:") else {"nodes": int(limit)}
    openings = MODES.get(mode) or LAYOUTS[:3] * 4 + LAYOUTS[:20]
    sa, sb = settings(a), settings(b)
    ta, tb = sa.pop("threads", 1), sb.pop("threads", 1)
    start = time.time()
    m = _core.Match(
        _core.Player(**lim, hash_mb=4, threads=ta, tuning=sa), _core.Player(**lim, hash_mb=4, threads=tb, tuning=sb),
        openings, games=int(games), random_plies=5, seed=int(start), concurrency=1)
    m.wait()
    w, d, l = m.score()
    e, pm, p = elo(w, d, l)
    plies = sum(len(g.moves) for g in m.games()) / max(1, w + d + l)
    print(f"[{a or '-'}] v [{b or '-'}] {limit} {mode}: +{w} ={d} -{l}  {100 * p:.1f} %  Elo {e:+.0f} ± {pm:.0f}"
          f"  ({plies:.0f} plies a game, {time.time() - start:.0f} s)", flush=True)


main()

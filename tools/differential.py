"""Random games of every mode and rule option, the Python rules against the kernel."""
import random, sys, time
sys.path[:0] = ["build", "/work/main/src"]
import _core, sumito
from sumito.rules import Rules
from sumito.move import Move

random.seed(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
n = 0
end = time.time() + 40
reasons = {}
while time.time() < end:
    mode = random.choice(["two", "three", "teams", "teams-double"])
    rep = random.choice([None, 2, 3]); lim = random.choice([None, 60]); win = random.choice([1, 3, 6])
    stuck = random.choice(["by-mode", "loses", "draws", "passes"]); ps = random.choice(["any", "none"])
    rules = Rules(win_at=win, repetition=rep, ply_limit=lim, stuck=stuck, partner_sidestep=ps)
    b = sumito.Board(mode=mode, rules=rules) if mode != "two" else sumito.Board(layout=random.choice(["standard", "belgian-daisy", "german-daisy", "alien-attack", "snakes"]), rules=rules)
    if random.random() < .3:  # crowded or sparse boards from texts
        text = b.position()
        if mode == "three": text += " out:w"
        elif mode == "two":
            # tiny corner fights, where players get stuck
            text = random.choice(["5/6/7/8/9/8/bbb4/bbb3/wbbb1 w 0,0 0 9", "5/6/7/8/9/8/bbb4/bb4/wbbb1 b 0,0 0 9"])
        b = sumito.Board.parse(text, rules=rules)
    p = _core.Position(b.position(), win_at=win, repetition=rep or 0, ply_limit=lim or 0, partner_sidestep=ps, stuck=stuck)
    for _ in range(120):
        n += 1
        assert p.text() == b.position(), (p.text(), b.position(), rules)
        o, q = b.outcome(), p.outcome()
        mine = None if o is None else (None if o.winner is None else int(o.winner), str(o.reason))
        assert mine == q, (mine, q, b.position(), rules)
        legal = sorted(m.index for m in b.legal_moves)
        assert legal == p.legal(), (b.position(), rules)
        if q: reasons[q[1]] = reasons.get(q[1], 0) + 1
        if not legal: break
        i = random.choice(legal[:6] if random.random() < .3 else legal)
        b.push(Move.of(i)); p.push(i)
        if random.random() < .05:
            b.pop(); p.pop()
print(n, "positions equal", reasons)

#!/usr/bin/env python3
"""An independent model of hypergammon and backgammon, written from the rulings (HYPER-01 ... -21), not from the rules
file; backgammon differs by its start (fifteen checkers) and by gammons that always count. Played in each player's own
numbering: 24 is the farthest point, 25 the bar, 0 off; the other player's point p is one's own 25 - p (HYPER-01).

    backgammon.py [-o option=value]... < positions

reads one position a line (the program's JSON: to_move, dice, pieces, state; or {"id": ..., "position": {...}}),
and writes one line each: {"id": ..., "count": N, "turns": [{"position": {...}, "ends": null | {...}}, ...]}.
"""
from serve import serve

PLAYERS = ["white", "black"]
OFF, BAR = 0, 25
DEFAULTS = dict(gammons="jacoby", cube="on")


def own(player, site):                                # HYPER-01: sites are named as white numbers them
    if site in ("tray", "bar"):
        return OFF if site == "tray" else BAR
    return int(site) if player == 0 else 25 - int(site)


def site(player, point):
    if point in (OFF, BAR):
        return "tray" if point == OFF else "bar"
    return str(point if player == 0 else 25 - point)


class Game:
    def __init__(self, options):
        self.o = dict(DEFAULTS, **options)

    # a side is a tuple of 26 counts by own point
    @staticmethod
    def steps(mine, theirs, die):
        """Lawful steps (from, to) with a die."""
        found = []
        for src in ([BAR] if mine[BAR] else range(24, 0, -1)):                     # HYPER-10
            if not mine[src]:
                continue
            dst = src - die
            if dst > 0:
                if theirs[25 - dst] < 2:                                           # HYPER-05
                    found.append((src, dst))
            elif not any(mine[7:]):                                                # HYPER-14
                if dst == 0 or not any(mine[src + 1:]):                            # HYPER-15, -16, -17
                    found.append((src, OFF))
        return found

    @staticmethod
    def made(mine, theirs, step):
        mine, theirs = list(mine), list(theirs)
        src, dst = step
        mine[src] -= 1
        mine[dst] += 1
        if dst != OFF and theirs[25 - dst] == 1:                                   # HYPER-09
            theirs[25 - dst] = 0
            theirs[BAR] += 1
        return tuple(mine), tuple(theirs)

    def turns(self, mine, theirs, dice):
        """The positions (mine, theirs) that lawful turns lead to."""
        double = dice[0] == dice[1]
        orders = [[dice[0]] * 4] if double else [list(dice), list(reversed(dice))]   # HYPER-06, -07
        leaves = set()                                # (mine, theirs, dice used, pips)

        def play(a, b, left, used, pips):
            found = self.steps(a, b, left[0]) if left and a[OFF] < sum(a) else []
            for s in found:
                play(*self.made(a, b, s), left[1:], used + 1, pips + left[0])
            if not found:
                leaves.add((a, b, used, pips))

        for order in orders:
            play(mine, theirs, order, 0, 0)
        most = max(l[2] for l in leaves)                                           # HYPER-08
        best = {l for l in leaves if l[2] == most}
        if most == 1:
            larger = max(l[3] for l in best)
            best = {l for l in best if l[3] == larger}
        return sorted({l[:2] for l in best})

    def ends(self, mine, theirs, stake):
        """The worth of the game that has just been won, or None (HYPER-19, -21)."""
        if mine[OFF] < sum(mine):
            return None
        how = self.o["gammons"]
        counts = how == "on" or how == "jacoby" and stake > 1
        if not counts or theirs[OFF]:
            return stake
        if theirs[BAR] or any(theirs[19:25]):                                      # the winner's home
            return 3 * stake
        return 2 * stake

    # ---- JSON ----
    def answer(self, j):
        me = PLAYERS.index(j["to_move"])
        sides = [[0] * 26, [0] * 26]
        for name, where in j["pieces"].items():
            q = PLAYERS.index(name.split()[-1])
            for s, n in where.items():
                sides[q][own(q, s)] += n
        stake = j.get("state", {}).get("stake", 1)
        out = []
        for a, b in self.turns(tuple(sides[me]), tuple(sides[1 - me]), j["dice"]):
            worth = self.ends(a, b, stake)
            pieces = {"checker of " + PLAYERS[q]: {site(q, p): n for p, n in enumerate(s) if n}
                      for q, s in ((me, a), (1 - me, b))}
            e = None
            if worth is not None:
                e = {"winner": PLAYERS[me], "rule": "all_off",
                     "scores": {PLAYERS[q]: worth if q == me else 0 for q in (0, 1)}}
            out.append({"position": {"to_move": None if e else PLAYERS[1 - me], "pieces": pieces}, "ends": e})
        return {"count": len(out), "turns": out}


if __name__ == "__main__":
    serve(Game, DEFAULTS)

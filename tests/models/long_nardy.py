#!/usr/bin/env python3
"""An independent model of Long nardy, written from the rulings (LONG-01 ... -27 and their clarifications), not from
the rules file. Played in each player's own coordinates: offset 0 is the head, 24 is off (LONG-02).

    long_nardy.py [-o option=value]... < positions

reads one position a line (the program's JSON: to_move, dice, pieces, state; or {"id": ..., "position": {...}}),
and writes one line each: {"id": ..., "count": N, "turns": [{"position": {...}, "ends": null | {...}}, ...]}.
"""
from serve import serve

PLAYERS = ["white", "black"]
HEAD, OFF = 0, 24
DEFAULTS = dict(mode="mars", grades="oin_mars", last_roll="none", opening="reroll", head_exception="three",
                head_exception_for="both", head_second_needs_full="no", block="ahead", block_check="step",
                dave_value="product", clock="off")


def offset(player, point):                            # LONG-02
    return point - 1 if player == 0 else (point - 13) % 24


def point(player, off):
    return off + 1 if player == 0 else (off + 12) % 24 + 1


class Game:
    def __init__(self, options):
        self.o = dict(DEFAULTS, **options)

    # a side is a tuple of 25 counts by own offset; a position is (side to move, other side)
    @staticmethod
    def mirrored(off):                                # the same point for the other player
        return (off + 12) % 24

    def open(self, other, off):                       # LONG-07
        return not other[self.mirrored(off)]

    def steps(self, own, other, die, heads, double, first):
        """Lawful steps (from, to) with a die."""
        found = []
        for src in range(24):
            if not own[src]:
                continue
            if src == HEAD and heads >= 1 and not (heads == 1 and self.two(double, first)):   # LONG-10, -11
                continue
            dst = src + die
            if dst < 24:
                if self.open(other, dst):
                    found.append((src, dst))
            elif not any(own[:18]):                                                # LONG-20
                if dst == 24 or not any(own[18:src]):                              # LONG-21, -22
                    found.append((src, OFF))
        if self.o["block_check"] == "step":                                        # LONG-13
            found = [s for s in found if not self.unlawful(self.made(own, s), other)]
        return found

    def two(self, double, first):                                                  # LONG-11
        how = self.o["head_exception"]
        return first and (how == "three" and double in (3, 4, 6) or how == "whenever_stuck" and double > 0)

    @staticmethod
    def made(own, step):
        side = list(own)
        side[step[0]] -= 1
        side[step[1]] += 1
        return tuple(side)

    def unlawful(self, own, other):
        """Whether `own` holds a block that it may not hold (LONG-12)."""
        how = self.o["block"]
        if how == "free":
            return False
        mine = [own[self.mirrored(y)] > 0 for y in range(24)]                      # in the other player's offsets
        y = 0
        while y < 24:
            end = y
            while end < 24 and mine[end]:
                end += 1
            if end - y >= 6:                                                       # the run y .. end-1, no wrap (12b)
                behind = any(other[:y])
                beyond = any(other[end:25])
                home = any(other[18:25])
                if how == "never_six":
                    return True
                if how == "ahead" and behind and not beyond:
                    return True
                if how == "home" and behind and not home:                          # LONG-12d
                    return True
            y = max(end, y + 1)
        return False

    def turns(self, own, other, dice, first):
        """The sides that lawful turns lead to."""
        double = dice[0] if dice[0] == dice[1] else 0
        pool = (double,) * 4 if double else tuple(sorted(dice))
        leaves = set()                                # (side, dice used, pips, heads)
        seen = set()

        def search(side, left, used, pips, heads):
            if (side, left, heads) in seen:
                return
            seen.add((side, left, heads))
            leaves.add((side, used, pips, heads))     # shorter turns lose to longer ones below
            for die in set(left):
                rest = list(left)
                rest.remove(die)
                for s in self.steps(side, other, die, heads, double, first):
                    search(self.made(side, s), tuple(rest), used + 1, pips + die, heads + (s[0] == HEAD))

        search(own, pool, 0, 0, 0)
        if self.o["block_check"] == "turn_end":                                    # LONG-13: such a sequence is no turn
            leaves = {l for l in leaves if not self.unlawful(l[0], other)} or {(own, 0, 0, 0)}
        if self.o["head_second_needs_full"] == "yes":                              # LONG-11d
            leaves = {l for l in leaves if not (l[3] == 2 and l[1] < 4)}
        most = max(l[1] for l in leaves)                                           # LONG-16
        leaves = {l for l in leaves if l[1] == most}
        if self.o["head_exception"] == "whenever_stuck" and any(l[3] < 2 for l in leaves):
            leaves = {l for l in leaves if l[3] < 2}                               # one checker can play the whole double
        if most == 1:                                                              # LONG-17
            best = max(l[2] for l in leaves)
            leaves = {l for l in leaves if l[2] == best}
        return sorted({l[0] for l in leaves})

    def ends(self, me, own, other, starter, stake):
        """The result after a turn of `me`, or None."""
        done, done2 = own[OFF] == sum(own), other[OFF] == sum(other) and sum(other) > 0
        if not done and not done2:
            return None
        if self.o["last_roll"] == "equal_turns":                                   # LONG-24
            if me == starter:
                return None
            if done and done2:
                return dict(winner=None, rule="both_off", scores={0: 0.5, 1: 0.5})
        winner, loser = (me, other) if done else (1 - me, own)
        worth = stake if self.o["mode"] == "dave" else 1
        if self.o["mode"] == "mars" and not loser[OFF]:                            # LONG-25
            worth = 2
            if self.o["grades"] == "with_koks" and not any(loser[18:]):            # LONG-25b
                worth = 3
        return dict(winner=winner, rule="all_off", scores={winner: worth, 1 - winner: 0})

    # ---- JSON ----
    def answer(self, j):
        me = PLAYERS.index(j["to_move"])
        sides = [[0] * 25, [0] * 25]
        for name, where in j["pieces"].items():
            q = PLAYERS.index(name.split()[-1])
            for site, n in where.items():
                sides[q][OFF if site == "tray" else offset(q, int(site))] += n
        own, other = tuple(sides[me]), tuple(sides[1 - me])
        state = j.get("state", {})
        starter = PLAYERS.index(state.get("starter", "white"))
        turns = state.get("turns of " + PLAYERS[me], 1)
        first = turns <= 1 and own[HEAD] == sum(own) and (self.o["head_exception_for"] == "both" or me == starter)
        out = []
        for side in self.turns(own, other, j["dice"], first):
            e = self.ends(me, side, other, starter, state.get("stake", 1))
            pieces = {}
            for q, s in ((me, side), (1 - me, other)):
                pieces["checker of " + PLAYERS[q]] = {
                    "tray" if o == OFF else str(point(q, o)): n for o, n in enumerate(s) if n}
            if e:
                e = {"winner": None if e["winner"] is None else PLAYERS[e["winner"]], "rule": e["rule"],
                     "scores": {PLAYERS[s]: v for s, v in sorted(e["scores"].items())}}
            out.append({"position": {"to_move": None if e else PLAYERS[1 - me], "pieces": pieces}, "ends": e})
        return {"count": len(out), "turns": out}


if __name__ == "__main__":
    serve(Game, DEFAULTS)

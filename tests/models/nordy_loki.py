#!/usr/bin/env python3
"""An independent model of Nords of Loki, written from the rulings (LOKI-01 ... -52 and their clarifications),
not from the rules file. It is slow and plain; the rules file is compared with it.

    nordy_loki.py [-o option=value]... < positions

reads one position a line (the program's JSON: to_move, dice, pieces, state; or {"id": ..., "position": {...}}),
and writes one line each: {"id": ..., "count": N, "turns": [{"position": {...}, "ends": null | {...}}, ...]}.
"""
from serve import serve

PLAYERS = ["red", "blue", "green"]
HAND, OFF = 0, 25
RUNES = ("fehu uruz thurisaz ansuz raidho kenaz gebo wunjo hagalaz nauthiz isa jera eihwaz perthro algiz sowilo "
         "tiwaz berkana ehwaz mannaz laguz ingwaz othala dagaz").split()
SYMMETRIC = set("gebo hagalaz nauthiz isa jera eihwaz sowilo ingwaz dagaz loki_ship".split())      # LOKI-04
LOKI = "laguz othala kenaz isa".split()                                                             # LOKI-41
ODIN = "othala dagaz isa nauthiz".split()                                                           # LOKI-43
DEFAULTS = dict(seats="2", variant="konung", futhark="othala_dagaz", entry_priority="strict", full="dice_then_pips",
                freeze_on="any_return", unfreeze3="cut_piece", bearoff="nardy", life_on="any_death",
                sink_timing="turn_end", ram="on", ram_eliminated="no", single_sink_turns="no", pattern_upright="no",
                loki_ends_game="yes", odin_trigger="edge", odin_costs_life="no", mars_3p="collective",
                technical_points="1", last_turn="equal_turns")


def att(field):                                       # LOKI-02
    return 0 if field == HAND else 3 if field == OFF else (field - 1) // 8 + 1


class Position:
    """Pieces are counts by (player, kind, field); kinds are K, W and S (a straggler, LOKI-28)."""

    def __init__(self):
        self.pieces = {}
        self.lives = [7, 7, 7]
        self.out = set()                              # players who have lost their konung for good (LOKI-49)
        self.uncounted = set()                        # of those: who does not count for a mars (LOKI-46)
        self.reversed = set()                         # ships, by rune
        self.berth = list(range(25))                  # which ship lies on field 1..24 and in the centre (0)
        self.odin = [False] * 3                       # LOKI-43
        self.struck = [0] * 3                         # LOKI-27, hit_only
        self.frozen = [False] * 3                     # LOKI-28c, all_in_att3
        self.to_move = 0
        self.starter = 0

    def copy(self):
        p = Position.__new__(Position)
        p.pieces = dict(self.pieces)
        p.lives, p.out, p.uncounted = list(self.lives), set(self.out), set(self.uncounted)
        p.reversed, p.berth = set(self.reversed), list(self.berth)
        p.odin, p.struck, p.frozen = list(self.odin), list(self.struck), list(self.frozen)
        p.to_move, p.starter = self.to_move, self.starter
        return p

    def key(self):
        return (tuple(sorted(self.pieces.items())), tuple(self.lives), tuple(sorted(self.out)),
                tuple(sorted(self.reversed)), tuple(self.berth), tuple(self.odin), tuple(self.struck),
                tuple(self.frozen), self.to_move, tuple(sorted(self.uncounted)))

    def add(self, player, kind, field, n=1):
        k = (player, kind, field)
        self.pieces[k] = self.pieces.get(k, 0) + n
        if not self.pieces[k]:
            del self.pieces[k]

    def count(self, player, field, kinds="KWS"):
        return sum(self.pieces.get((player, k, field), 0) for k in kinds)

    def any(self, player, fields, kinds="KWS"):
        return any(pl == player and k in kinds and f in fields for (pl, k, f) in self.pieces)

    def konung(self, player):
        for (pl, k, f) in self.pieces:
            if pl == player and k == "K":
                return f
        return None


ATT1, ATT2, ATT3 = range(1, 9), range(9, 17), range(17, 25)
BOARD = range(1, 25)


class Game:
    def __init__(self, options):
        self.o = dict(DEFAULTS, **options)
        self.n = int(self.o["seats"])
        runes = list(RUNES)
        if self.o["futhark"] == "dagaz_othala":       # LOKI-03
            runes[22], runes[23] = runes[23], runes[22]
        self.rune = ["loki_ship"] + runes

    # ---- ships ----
    def ship(self, p, field):
        return self.rune[p.berth[field]]

    def ghost(self, p, field):                        # LOKI-36, -39, -45
        s = self.ship(p, field)
        return s in p.reversed and s not in SYMMETRIC

    def field_of(self, p, rune):
        for f in BOARD:
            if self.ship(p, f) == rune:
                return f
        return None

    # ---- who is in ----
    def active(self, p):
        return [q for q in range(self.n) if q not in p.out]

    def finished(self, p):
        return [q for q in self.active(p)
                if p.any(q, [OFF]) and not p.any(q, range(0, 25))]

    # ---- steps ----
    def steps(self, p, me, die, rammed):
        """Legal steps with one die: (kind, from, to); `to` OFF bears off. `rammed`: ships rammed this turn."""
        found = []
        konung_game = self.o["variant"] == "konung"
        k = p.konung(me) if konung_game else None
        katt = 0 if k is None else att(k)
        hand = p.any(me, [HAND])
        struck = hand if self.o["freeze_on"] == "any_return" else hand and p.struck[me] > 0   # LOKI-27
        for (pl, kind, src), n in list(p.pieces.items()):
            if pl != me or src == OFF:
                continue
            if src != HAND and src in rammed:                                      # LOKI-34b
                continue
            if konung_game and k == HAND and kind != "K":                          # LOKI-21, -23
                continue
            if kind == "W" and (me, "S", src) in p.pieces:                         # LOKI-28b
                continue
            dst = src + die
            if src == HAND:                                                        # LOKI-11
                dst = die
            if konung_game and kind != "K" and att(src) > katt:                    # LOKI-22
                continue
            if att(src) == 2 and struck:                                           # LOKI-27
                continue
            if att(src) == 3 and self.frozen3(p, me, struck):                      # LOKI-28
                continue
            if dst > 24:
                if src in ATT3 and self.may_leave(p, me, kind, src, die):
                    found.append((kind, src, OFF))
                continue
            if konung_game and kind != "K" and att(dst) > katt:                    # LOKI-22
                continue
            if att(src) == 1 and att(dst) == 2 and hand:                           # LOKI-25
                continue
            if att(src) == 2 and att(dst) == 3 and (hand or p.any(me, ATT1)):      # LOKI-26
                continue
            if self.may_land(p, me, dst):
                found.append((kind, src, dst))
        return found

    def frozen3(self, p, me, struck):
        how = self.o["unfreeze3"]
        if how == "cut_piece":
            return p.any(me, range(0, 25), "S")
        if how == "all_in_att3":
            return p.frozen[me]
        return bool(struck or p.any(me, ATT1))

    def may_land(self, p, me, field):                                              # LOKI-15
        for q in range(self.n):
            if q == me:
                continue
            c = p.count(q, field)
            if c >= 2:
                if self.o["ram"] != "on" or c < 4:
                    return False
                if q in p.out and self.o["ram_eliminated"] != "yes":
                    return False
        return True

    def may_leave(self, p, me, kind, src, die):
        if p.any(me, range(0, 17)):                                                # LOKI-29
            return False
        warriors = [f for (pl, k, f) in p.pieces if pl == me and k != "K" and f != OFF]
        if kind == "K" and warriors:                                               # LOKI-24
            return False
        e = 25 - src
        if die == e:
            return True
        if die < e or self.o["bearoff"] == "exact":
            return False
        if self.o["bearoff"] == "any":
            return True
        return not any(f < src for f in warriors)                                  # LOKI-30

    # ---- returns to hand ----
    def back_to_hand(self, p, gone, hit):
        """Removes the pieces `gone` = [(player, kind, field)] together (LOKI-28: judged after all of them)."""
        for (q, kind, f) in gone:
            p.add(q, kind, f, -1)
        for (q, kind, f) in gone:
            if q in p.out:                                                         # LOKI-36, -49
                continue
            marks = p.any(q, ATT3) and (hit or self.o["freeze_on"] == "any_return")
            if marks and self.o["unfreeze3"] == "all_in_att3":
                p.frozen[q] = True
            if kind == "W" and marks and self.o["unfreeze3"] == "cut_piece":
                kind = "S"
            if hit and kind != "K" and self.o["freeze_on"] == "hit_only":
                p.struck[q] += 1
            p.add(q, kind, HAND)
        self.lapse(p)

    def lapse(self, p):                                                            # LOKI-28
        for q in range(self.n):
            if not p.any(q, ATT3):
                p.frozen[q] = False
                for f in range(0, 25):
                    n = p.pieces.get((q, "S", f), 0)
                    if n:
                        p.add(q, "S", f, -n)
                        p.add(q, "W", f, n)

    def lose_lives(self, p, owners):
        for q in owners:
            if q not in p.out:
                p.lives[q] = max(0, p.lives[q] - 1)

    def bury(self, p):
        """Seventh deaths (LOKI-32, -48, -49, -50). The end of the game, or None."""
        dead = [q for q in self.active(p) if p.lives[q] == 0]
        if not dead or self.o["variant"] == "simple":
            return None
        left = [q for q in self.active(p) if q not in dead]
        if self.finished(p):                                                       # extra turns: only removed
            self.remove(p, dead)
            return None
        if not left:                                                               # LOKI-32b
            return dict(rule="konungs_dead", winner=None, scores={q: 0.5 for q in dead})
        if len(left) == 1:                                                         # LOKI-48
            w = left[0]
            p.out.update(dead)
            return dict(rule="konung_dead", winner=w, scores={w: self.technical(p, w)})
        self.remove(p, dead)
        p.uncounted.update(dead)
        return None

    def remove(self, p, dead):                                                     # LOKI-49
        p.out.update(dead)
        for q in dead:
            for kind in "KWS":
                p.pieces.pop((q, kind, HAND), None)

    def technical(self, p, winner):                                                # LOKI-47, -48
        if self.o["technical_points"] == "graded":
            if not any(p.any(q, [OFF]) for q in range(self.n) if q != winner):
                return 2
        return 1

    # ---- making a step ----
    def make(self, p, me, step, rammed):
        """The position after a step, the rammed ships, and the end of the game or None."""
        kind, src, dst = step
        q = p.copy()
        q.add(me, kind, src, -1)
        if src == HAND and kind != "K" and self.o["freeze_on"] == "hit_only" and q.struck[me]:
            q.struck[me] -= 1                                                      # hit pieces enter first
        if kind == "S" and dst in ATT3:                                            # caught up
            kind = "W"
        if dst != OFF:
            for o in range(self.n):
                if o == me:
                    continue
                c = q.count(o, dst)
                if c == 1:                                                         # LOKI-16
                    victim = next(k for k in "KWS" if (o, k, dst) in q.pieces)
                    q.add(me, kind, dst)
                    self.back_to_hand(q, [(o, victim, dst)], True)
                    q.add(me, kind, dst, -1)
                    if victim == "K":                                              # LOKI-31
                        self.lose_lives(q, [o])
                elif c >= 4:                                                       # LOKI-34
                    rammed = rammed | {dst}
        q.add(me, kind, dst)
        if self.o["unfreeze3"] == "all_in_att3" and not q.any(me, range(0, 17)):
            q.frozen[me] = False
        self.lapse(q)
        return q, rammed, self.bury(q)

    def overloaded(self, p):
        return [f for f in BOARD if sum(p.count(q, f) for q in range(self.n)) >= 5]

    def drown(self, p, over, lonely):
        """Ships `over` sink with everybody, `lonely` pieces drown: together (LOKI-36, -37, -40.1)."""
        gone, konungs = [], []
        for f in over + lonely:
            for (q, kind, g), n in list(p.pieces.items()):
                if g == f:
                    gone += [(q, kind, f)] * n
                    if kind == "K":
                        konungs.append(q)
        for f in over:
            self.turn_ship(p, f)
        if self.o["single_sink_turns"] == "yes":
            for f in lonely:
                self.turn_ship(p, f)
        self.back_to_hand(p, gone, False)
        if self.o["life_on"] == "any_death":
            self.lose_lives(p, konungs)

    def turn_ship(self, p, f):
        s = self.ship(p, f)
        if s not in SYMMETRIC:
            p.reversed ^= {s}

    # ---- whole turns ----
    def turns(self, p, dice):
        """All legal turns: a list of (position, ends), one for each different outcome."""
        me = p.to_move
        leaves, seen = [], set()
        owes = p.any(me, [HAND])                                                   # LOKI-18

        def search(q, left, rammed, entered, used, pips, last):
            key = (q.key(), left, rammed, entered, last)
            if key in seen:
                return
            seen.add(key)
            moved = False
            over = self.overloaded(q) if self.o["sink_timing"] == "piece_end" else []
            states = [(q, rammed, None, False)]
            if over and left:                                                      # LOKI-33 piece_end
                r = q.copy()
                self.drown(r, over, [])
                e = self.bury(r)
                if e or me in r.out or r.lives[me] == 0 and self.o["variant"] == "konung":
                    leaves.append((r, e, entered, used, pips))
                    moved = bool(e)
                else:
                    states.append((r, rammed - set(over), None, True))
            for die in sorted(set(left)):
                rest = list(left)
                rest.remove(die)
                for (base, ram, _, sunk) in states:
                    for step in self.steps(base, me, die, ram):
                        group = step[0] == "K"
                        if over and not sunk and last != (step[1], group):
                            continue                                               # another piece: only after sinking
                        moved = True
                        r, ram2, e = self.make(base, me, step, ram)
                        ent = entered or step[1] == HAND
                        if e or (me in r.out):
                            leaves.append((r, e, ent, used + 1, pips + die))
                        else:
                            search(r, tuple(rest), ram2, ent, used + 1, pips + die, (step[2], group))
            if not moved:
                leaves.append((q, None, entered, used, pips))

        search(p, tuple(sorted(dice)), frozenset(), False, 0, 0, None)

        def exempt(leaf):                                                          # LOKI-19c
            return leaf[1] is not None or not leaf[0].any(me, range(0, 25)) and leaf[0].any(me, [OFF])

        def measure(leaf):                                                         # LOKI-19
            return (leaf[3], leaf[4]) if self.o["full"] == "dice_then_pips" else leaf[4]

        if owes and self.o["entry_priority"] == "strict" and any(l[2] for l in leaves):
            leaves = [l for l in leaves if l[2]]
        best = max(measure(l) for l in leaves)
        leaves = [l for l in leaves if exempt(l) or measure(l) == best]
        if owes and self.o["entry_priority"] == "within_full" and any(l[2] for l in leaves):
            leaves = [l for l in leaves if l[2]]
        results = {}
        for (q, e, _, _, _) in leaves:
            q = q.copy()
            if e is None:
                e = self.end_of_turn(q, me)
            key = q.key()
            results.setdefault(key, (q, e))
        return list(results.values())

    def holds(self, p, me, runes):
        fields = [self.field_of(p, r) for r in runes]
        return all(f is not None and p.count(me, f) for f in fields)

    def end_of_turn(self, p, me):                                                  # LOKI-40
        over = self.overloaded(p)
        lonely = [f for f in BOARD if self.ghost(p, f) and f not in over
                  and sum(p.count(q, f) for q in range(self.n)) == 1]
        if over or lonely:                                                         # 1
            self.drown(p, over, lonely)
        e = self.bury(p)                                                           # 2
        if e:
            return e
        if me not in p.out:                                                        # 3
            konung = p.konung(me)
            loki = self.holds(p, me, LOKI) and (self.o["variant"] == "simple" or konung in BOARD)
            if loki and self.o["pattern_upright"] == "yes":
                loki = not any(self.ghost(p, self.field_of(p, r)) for r in LOKI)
            odin = self.holds(p, me, ODIN)
            if loki:                                                               # 3a
                self.exchange(p, me, konung)
                if self.o["loki_ends_game"] == "yes" and not self.finished(p):     # LOKI-47
                    return dict(rule="loki_grants", winner=me, scores={me: self.technical(p, me)})
            elif odin and (self.o["odin_trigger"] == "level" or not p.odin[me]):   # 3b
                self.odin(p)
                e = self.bury(p)                                                   # 3c
                if e:
                    return e
            if self.o["odin_trigger"] == "edge":
                p.odin[me] = self.holds(p, me, ODIN)                               # LOKI-43
        finished = self.finished(p)                                                # 4
        later = [q for q in self.active(p) if self.place(p, q) > self.place(p, me)]
        nxt = next(q for q in [(me + i) % self.n for i in range(1, self.n + 1)] if q in self.active(p))
        if finished:                                                               # LOKI-46, -50
            rule = self.o["last_turn"]
            if rule == "none" or rule == "equal_turns" and not later or rule == "one_more_each" and nxt in finished:
                if len(finished) > 1:
                    return dict(rule="home_together", winner=None, scores={q: 0.5 for q in finished})
                w = finished[0]
                others = [q for q in range(self.n) if q != w and q not in p.uncounted]
                none_off = [not p.any(q, [OFF]) for q in others]
                mars = all(none_off) if self.o["mars_3p"] == "collective" else any(none_off)
                return dict(rule="home_first", winner=w, scores={w: 2 if mars else 1})
        elif self.dead(p):                                                         # LOKI-51
            return dict(rule="dead", winner=None, scores={q: 0.5 for q in self.active(p)})
        p.to_move = nxt                                                            # 5
        return None

    def place(self, p, seat):                                                      # LOKI-50: seats of a round
        return (seat - p.starter) % self.n

    def dead(self, p):
        return not any(self.steps(p, q, die, frozenset()) for q in self.active(p) for die in range(1, 7))

    def exchange(self, p, me, konung):                                             # LOKI-42, -52
        here = konung if self.o["variant"] == "konung" else min(self.field_of(p, r) for r in LOKI)
        there = next(f for f in range(25) if self.ship(p, f) == "loki_ship")
        p.berth[here], p.berth[there] = p.berth[there], p.berth[here]

    def odin(self, p):                                                             # LOKI-44
        away = [f for f in BOARD if self.ghost(p, f) or p.berth[f] != f]
        gone, konungs = [], []
        for (q, kind, f), n in list(p.pieces.items()):
            if f in away:
                gone += [(q, kind, f)] * n
                if kind == "K":
                    konungs.append(q)
        self.back_to_hand(p, gone, False)
        if self.o["odin_costs_life"] == "yes":
            self.lose_lives(p, konungs)
        p.berth = list(range(25))
        p.reversed = set()

    # ---- JSON ----
    def read(self, j):
        p = Position()
        names = {"konung": "K", "warrior": "W", "straggler": "S"}
        place = {"hand": HAND, "tray": OFF}
        place.update({r: i for i, r in enumerate(self.rune) if i})
        place.update({str(i): i for i in BOARD})
        for name, where in j["pieces"].items():
            kind, _, owner = name.split()
            for site, n in where.items():
                if n:
                    p.add(PLAYERS.index(owner), names[kind], place[site], n)
        p.to_move = PLAYERS.index(j["to_move"])
        berths = {}
        for name, value in j.get("state", {}).items():
            what, _, whose = name.partition(" of ")
            if what == "lives":
                p.lives[PLAYERS.index(whose)] = value
            elif what == "odin_stands":
                p.odin[PLAYERS.index(whose)] = value == "yes"
            elif what == "struck":
                p.struck[PLAYERS.index(whose)] = value
            elif what == "frozen":
                p.frozen[PLAYERS.index(whose)] = value == "yes"
            elif what == "counted" and value == "no":
                p.uncounted.add(PLAYERS.index(whose))
            elif what == "starter":
                p.starter = PLAYERS.index(value)
            elif what == "berth":
                berths[0 if whose in ("centre", "loki_ship") else place[whose]] = value
            elif what == "ship" and value == "ghost":
                p.reversed.add(("field", 0 if whose in ("centre", "loki_ship") else place[whose]))
        for f, ship in berths.items():
            p.berth[f] = f if ship == "own" else self.rune.index(ship)
        p.reversed = {self.ship(p, x[1]) for x in p.reversed}
        if self.o["variant"] == "konung":
            p.out = {q for q in range(self.n) if p.lives[q] == 0}
        return p

    def write(self, p, ends):
        kinds = {"K": "konung", "W": "warrior", "S": "straggler"}
        pieces, state = {}, {}
        for (q, kind, f), n in sorted(p.pieces.items()):
            site = {HAND: "hand", OFF: "tray"}.get(f, str(f))
            pieces.setdefault("%s of %s" % (kinds[kind], PLAYERS[q]), {})[site] = n
        for f in range(25):
            where = "centre" if f == 0 else self.rune[f]
            if p.berth[f] != f:
                state["berth of " + where] = self.ship(p, f)
            if self.ship(p, f) in p.reversed and self.ship(p, f) not in SYMMETRIC:
                if self.o["loki_ends_game"] == "yes":                              # the exchange is a ceremony
                    where = self.ship(p, f)
                state["ship of " + where] = "ghost"
        for q in range(self.n):
            if p.lives[q] != 7:
                state["lives of " + PLAYERS[q]] = p.lives[q]
            if p.odin[q]:
                state["odin_stands of " + PLAYERS[q]] = "yes"
            if p.struck[q]:
                state["struck of " + PLAYERS[q]] = p.struck[q]
            if p.frozen[q]:
                state["frozen of " + PLAYERS[q]] = "yes"
            if q in p.uncounted:
                state["counted of " + PLAYERS[q]] = "no"
        return {"to_move": None if ends else PLAYERS[p.to_move], "pieces": pieces, "state": state}

    def answer(self, j):
        p = self.read(j)
        out = []
        for q, ends in self.turns(p, j["dice"]):
            e = None
            if ends:
                e = {"winner": None if ends["winner"] is None else PLAYERS[ends["winner"]], "rule": ends["rule"],
                     "scores": {PLAYERS[s]: ends["scores"].get(s, 0) for s in range(self.n)}}
            out.append({"position": self.write(q, ends), "ends": e})
        return {"count": len(out), "turns": out}


if __name__ == "__main__":
    serve(Game, DEFAULTS)

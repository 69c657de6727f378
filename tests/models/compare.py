#!/usr/bin/env python3
"""Compares the program with the independent models, turn set by turn set, ends and scores included.

    compare.py GAME|all [-o option=value]... [--play N] [--scatter N] [--mix N] [--seed S] [--show N]

N positions of random play and N scattered ones (well formed, whether or not a game reaches them) are answered by
`tavl moves GAME --batch` ($TAVL, else build/tavl) and by the model of the game. One line of summary; differences are
printed with the position; exit 1 if there are any. The same seed gives the same positions. `all` compares every game
with its default options, with every other value of every option, and with N random mixtures of values.
"""
import importlib
import json
import os
import random
import subprocess
import sys

sys.dont_write_bytecode = True
GAMES = {"hypernardy": ("backgammon", 2, {}), "backgammon": ("backgammon", 2, {"gammons": "on"}),
         "long-nardy": ("long_nardy", 2, {}), "nordy-loki": ("nordy_loki", 3, {})}
VALUES = {                                            # the rulings' options, the default first
    "hypernardy": dict(gammons="jacoby on off", cube="on off"),
    "backgammon": dict(gammons="on jacoby off", cube="on off"),
    "long-nardy": dict(
        mode="mars dave plain", grades="oin_mars with_koks", last_roll="none equal_turns",
        opening="reroll use_contest_dice", head_exception="three whenever_stuck none",
        head_exception_for="both starter", head_second_needs_full="no yes", block="ahead home never_six free",
        block_check="step turn_end", dave_value="product total", clock="off on"),
    "nordy-loki": dict(
        seats="2 3", variant="konung simple", futhark="othala_dagaz dagaz_othala", entry_priority="strict within_full",
        full="dice_then_pips pips", freeze_on="any_return hit_only",
        unfreeze3="cut_piece all_in_att3 none_behind_att2", bearoff="nardy any exact", life_on="any_death hit_only",
        sink_timing="turn_end piece_end", ram="on off", ram_eliminated="no yes", single_sink_turns="no yes",
        pattern_upright="no yes", loki_ends_game="yes no", odin_trigger="edge level", odin_costs_life="no yes",
        mars_3p="collective any_opponent", technical_points="1 graded", last_turn="equal_turns one_more_each none"),
}
MODEL_STATES = ("berth", "ship", "lives", "odin_stands", "struck", "frozen", "counted")   # what the model writes


class Program:
    def __init__(self, game, options):
        command = [os.environ.get("TAVL", "build/tavl"), "moves", game, "--batch"]
        for k, v in options.items():
            command += ["-o", "%s=%s" % (k, v)]
        self.pipe = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def answer(self, position):
        self.pipe.stdin.write(json.dumps({"id": 0, "position": position}) + "\n")
        self.pipe.stdin.flush()
        line = self.pipe.stdout.readline()
        if not line:
            sys.exit("the program ended")
        return json.loads(line)

    def close(self):
        self.pipe.stdin.close()
        if self.pipe.wait():
            sys.exit("the program failed")


def plain(position, states):
    """What the rules say about a position, as a text that can be compared."""
    pieces = {k: {s: n for s, n in v.items() if n} for k, v in position["pieces"].items()}
    state = {}
    dead = ["odin_stands" + k[5:] for k, v in position.get("state", {}).items() if k.startswith("lives of") and not v]
    for k, v in position.get("state", {}).items():
        if k in dead:
            continue
        what, _, whose = k.partition(" of ")
        if what in states and (position["to_move"] or what not in ("counted", "odin_stands")):   # memories
            state[what + " of " + {"loki_ship": "centre"}.get(whose, whose)] = v
    return json.dumps([position["to_move"], {k: v for k, v in pieces.items() if v}, state], sort_keys=True)


def result(ends):
    if not ends:
        return None
    return json.dumps([ends["winner"], {k: v for k, v in ends["scores"].items() if v}], sort_keys=True)


def turn_set(answer, states):
    return {(plain(t["position"], states), result(t["ends"])) for t in answer["turns"]}


# ---- positions ----

class Source:
    def __init__(self, game, program, rng, options):
        self.game, self.program, self.rng, self.options = game, program, rng, options
        self.dice_n = GAMES[game][1]
        command = [os.environ.get("TAVL", "build/tavl"), "show", game, "--start", "--json"]
        for k, v in options.items():
            command += ["-o", "%s=%s" % (k, v)]
        self.start = json.loads(subprocess.check_output(command, text=True))["position"]
        self.begin()

    def dice(self):
        if self.rng.random() < 0.2:                   # more doubles than fall
            return [self.rng.randint(1, 6)] * self.dice_n
        return [self.rng.randint(1, 6) for _ in range(self.dice_n)]

    def begin(self):
        self.position = self.start
        self.turns = 0
        self.taste = {}                               # each game and player has a taste of its own
        self.wild = self.rng.choice([0.1, 0.5, 1.0])

    def value(self, position, me):
        total = 0
        for kind, where in position["pieces"].items():
            for s, n in where.items():
                key = (me, kind.split()[0] if kind.endswith(me) else "enemy", s)
                if key not in self.taste:
                    self.taste[key] = self.rng.random() + (0.5 if s == "tray" else 0)
                total += n * self.taste[key]
        return total

    def play(self):
        """Positions of random games: each is answered by the program, which also plays it."""
        position = dict(self.position, dice=self.dice())
        answer = self.program.answer(position)
        turns = answer.get("turns", [])
        if turns and self.rng.random() < self.wild:
            turn = self.rng.choice(turns)
        else:
            turn = max(turns, key=lambda t: self.value(t["position"], position["to_move"]), default=None)
        self.turns += 1
        if not turn or turn["ends"] or self.turns > 400:
            self.begin()
        else:
            self.position = turn["position"]
        return position, answer

    def scatter(self):
        rng = self.rng
        if self.game == "nordy-loki":
            return self.scatter_loki()
        total = sum(n for n in list(self.start["pieces"].values())[0].values())
        pieces, taken = {}, {}
        long = self.game == "long-nardy"
        for player in rng.sample(["white", "black"], 2):
            road = [str(i) for i in range(1, 25)]
            if long and player == "black":
                road = road[12:] + road[:12]
            elif not long and player == "white":
                road.reverse()
            where = {}
            low = rng.choice([0, 0, 0, 12, 18])       # at home, or anywhere
            spots = rng.sample(road[low:], rng.randint(1, min(13, 24 - low)))
            spots = [s for s in spots if taken.get(s, player) == player]
            if rng.random() < 0.3 and spots:          # a row
                i = rng.randint(low, 23)
                spots += [s for s in road[i:i + rng.randint(2, 7)] if taken.get(s, player) == player]
            off = rng.choice([0, 0, rng.randint(0, total - 1)])
            if not spots:
                off = total
            for _ in range(total - off):
                s = rng.choice(spots)
                if not long and low < 18 and rng.random() < rng.choice([0, 0, 0.15]):
                    s = "bar"
                else:
                    taken[s] = player
                where[s] = where.get(s, 0) + 1
            if off:
                where["tray"] = off
            pieces["checker of " + player] = where
        mover, starter = rng.choice(["white", "black"]), rng.choice(["white", "white", "black"])
        rounds = 1 if long and rng.random() < 0.2 else 5
        state = {"turns of " + q: rounds if q in (starter, mover) else rounds - 1 for q in ("white", "black")}
        state.update(turn_count=sum(state.values()), starter=starter)
        if not long and rng.random() < 0.3:
            state.update(stake=rng.choice([2, 4]), holder=rng.choice(["white", "black"]))
        if sum(pieces["checker of " + mover].values()) == pieces["checker of " + mover].get("tray"):
            return self.scatter()
        other = "black" if mover == "white" else "white"
        over = pieces["checker of " + other].get("tray") == total
        if over and self.options.get("last_roll", "none") == "none":
            return self.scatter()
        return {"to_move": mover, "pieces": pieces, "state": state, "dice": self.dice()}

    def scatter_loki(self):
        """Half of them: random play with pieces, ships and lives changed. Half: set up around what is rare in play."""
        return self.disturbed_loki() if self.rng.random() < 0.5 else self.built_loki()

    def built_loki(self):
        """Four ships of a pattern nearly held, full ships, players who are nearly home or out, ships away from home."""
        rng = self.rng
        players = ["red", "blue", "green"][:int(self.options.get("seats", "2"))]
        simple = self.options.get("variant") == "simple"
        runes = list(RUNES)
        if self.options.get("futhark") == "dagaz_othala":
            runes[22], runes[23] = runes[23], runes[22]
        free = set(range(1, 25))
        pieces, state = {}, {}
        mover = rng.choice(players)
        rounds = rng.choice([2, 9])
        order = players.index(mover)
        for i, q in enumerate(players):
            state["turns of " + q] = rounds if i <= order else rounds - 1
        state["turn_count"] = sum(state.values())
        for q in rng.sample(players, len(players)):
            where = {}

            def put(field, n, where=where):
                n = min(n, 12 + simple - sum(where.values()))
                if n > 0 and (field in free or str(field) in where or field in ("hand", "tray")):
                    where[str(field)] = where.get(str(field), 0) + n
                    free.discard(field)

            theme = rng.choice(["pattern", "pattern", "home", "crowd", "any"])
            nobody_out = 0 not in state.values()
            if len(players) == 3 and q != mover and not simple and nobody_out and rng.random() < 0.15:
                state.update({"lives of " + q: 0, "counted of " + q: "no"})
            if theme == "pattern":
                for rune in rng.choice(["laguz othala kenaz isa", "othala dagaz isa nauthiz"]).split():
                    put(max(1, runes.index(rune) + 1 - rng.choice([0, 0, 0, 1, 2, 3, 5])), 1)
            elif theme == "home":
                for _ in range(rng.randint(0, 3)):
                    put(rng.randint(17, 24), 1)
                put("tray", 12 + simple)
            elif theme == "crowd":
                spot = rng.randint(1, 24)
                put(spot, rng.choice([3, 4, 4]))
                put(max(1, spot - rng.randint(1, 6)), rng.choice([1, 2]))
            out = state.get("lives of " + q) == 0
            for _ in range(rng.randint(0, 6)):
                put(rng.randint(1, 24), rng.choice([1, 1, 2, 4]))
            if not out:
                put(rng.choice(["hand", "tray", rng.randint(1, 24)]), 12 + simple)
                put("hand" if rng.random() < 0.5 else "tray", 12 + simple)
            pieces["warrior of " + q] = where
            if not simple and not out:
                spot = rng.choice(sorted(where) + [str(f) for f in sorted(free)])
                if theme == "home" and spot != "tray" or spot == "hand":
                    spot = rng.choice([s for s in where if s not in ("hand", "tray")] or ["tray"])
                pieces["konung of " + q] = {spot: 1}
                if spot.isdigit():
                    free.discard(int(spot))
                if rng.random() < 0.4:
                    state["lives of " + q] = rng.choice([1, 1, 3])
        for rune in rng.sample(RUNES, rng.choice([0, 3, 9])):
            if rune not in SYMMETRIC:
                state["ship of " + rune] = "ghost"
        load = {}
        for where in pieces.values():
            for f, n in where.items():
                load[f] = load.get(f, 0) + n
        for i, rune in enumerate(runes):              # a lone piece there has drowned long ago
            if load.get(str(i + 1)) == 1:
                state.pop("ship of " + rune, None)
        done = [q for q in players if set(pieces["warrior of " + q]) == {"tray"} == set(
            pieces.get("konung of " + q, {"tray": 1})) and state.get("lives of " + q) != 0]
        last = self.options.get("last_turn", "equal_turns")
        if mover in done or done and last == "none" or \
                last == "equal_turns" and any(players.index(q) > order for q in done):
            return self.built_loki()                  # the game would be over
        if self.options.get("loki_ends_game") == "no" and rng.random() < 0.5:
            rune = rng.choice(RUNES)
            state.update({"berth of " + rune: "loki_ship", "berth of centre": rune})
            state.pop("ship of " + rune, None)
        if rng.random() < 0.3 and self.options.get("odin_trigger") != "level":
            state["odin_stands of " + mover] = "yes"
        return {"to_move": mover, "pieces": {k: v for k, v in pieces.items() if v}, "state": state, "dice": self.dice()}

    def disturbed_loki(self):
        rng = self.rng
        position = json.loads(json.dumps(self.play()[0]))
        pieces, state = position["pieces"], position.setdefault("state", {})
        players = sorted({k.split()[-1] for k in pieces})
        alive = [q for q in players if state.get("lives of " + q, 7) > 0]
        for _ in range(rng.randint(1, 12)):
            q = rng.choice(alive)
            kind = rng.choice(["warrior"] * 6 + ["konung"]) + " of " + q
            where = pieces.get(kind)
            if not where:
                continue
            source = rng.choice(sorted(where))
            reach = [str(i) for i in range(1, 25)]
            owners = {}
            for k, w in pieces.items():
                for s in w:
                    owners.setdefault(s, set()).add(k.split()[-1])
            reach = [s for s in reach if len(owners.get(s, set()) | {q}) <= 1] + ["hand"]
            if kind.startswith("konung"):
                reach = [s for s in reach if s != "hand"]
            if any(k == "straggler of " + q for k in pieces) or state.get("struck of " + q) or \
                    state.get("frozen of " + q):
                reach = [s for s in reach if s != "hand"]
                if source == "hand" or source.isdigit() and int(source) > 16:
                    continue
            # a place that the konung has not opened is not reached by warriors, but is well formed
            target = rng.choice(reach)
            where[source] -= 1
            if not where[source]:
                del where[source]
            where[target] = where.get(target, 0) + 1
        for rune in rng.sample(RUNES, rng.choice([0, 0, 2, 8])):
            key = "ship of " + rune
            if state.pop(key, None) is None and rune not in SYMMETRIC:
                state[key] = "ghost"
        for q in alive:
            if rng.random() < 0.3 and self.options.get("variant") != "simple":
                state["lives of " + q] = rng.choice([1, 1, 2, 6])
        for k in [k for k in pieces if not pieces[k]]:
            del pieces[k]
        return position


RUNES = ("fehu uruz thurisaz ansuz raidho kenaz gebo wunjo hagalaz nauthiz isa jera eihwaz perthro algiz sowilo "
         "tiwaz berkana ehwaz mannaz laguz ingwaz othala dagaz").split()
SYMMETRIC = "gebo hagalaz nauthiz isa jera eihwaz sowilo ingwaz dagaz".split()


# ---- comparing ----

def compare(game, options, play, scatter, seed, show):
    module, _, defaults = GAMES[game]
    model = importlib.import_module(module).Game(dict(defaults, **options))
    program = Program(game, options)
    rng = random.Random("%s %s %s" % (game, sorted(options.items()), seed))
    source = Source(game, program, rng, options)
    states = MODEL_STATES if game == "nordy-loki" else ()
    differences = refused = turns = ended = 0
    for i in range(play + scatter):
        if i < play:
            position, answer = source.play()
        else:
            position = source.scatter()
            answer = program.answer(position)
        if "error" in answer:
            refused += 1
            if refused <= show:
                print("  refused: %s\n    %s" % (answer["error"], json.dumps(position)))
            continue
        if answer["to_move"] is None:                 # the position is already decided
            continue
        theirs, ours = turn_set(model.answer(position), states), turn_set(answer, states)
        turns += len(ours)
        ended += sum(1 for t in ours if t[1])
        if theirs == ours and len(ours) == answer["count"]:
            continue
        differences += 1
        if differences <= show:
            print("  differs: %s" % json.dumps(position))
            for name, these in (("only the program", ours - theirs), ("only the model", theirs - ours)):
                print("    %s: %d" % (name, len(these)))
                for t in sorted(these, key=str)[:3]:
                    print("      %s %s" % (t[0], t[1] or ""))
            if len(ours) != answer["count"]:
                print("    the program lists %d turns, and %d are distinct" % (answer["count"], len(ours)))
    program.close()
    name = " ".join([game] + ["-o %s=%s" % o for o in options.items()])
    print("%s %s: %d positions, %d turns (%d end the game), %d refused, %d differ" %
          ("ok" if not differences and not refused else "FAILED", name, play + scatter, turns, ended, refused,
           differences))
    sys.stdout.flush()
    return not differences and not refused


def choices(game, mix, seed):
    """Every set of options to be compared: the defaults, each value alone, mixtures."""
    values = {k: v.split() for k, v in VALUES[game].items()}
    yield {}
    for k in values:
        for v in values[k][1:]:
            yield {k: v}
            if game == "nordy-loki" and k != "seats":
                yield {k: v, "seats": "3"}
    rng = random.Random("%s %s" % (game, seed))
    for _ in range(mix):
        mixed = {k: rng.choice(v) for k, v in values.items()}
        yield {k: v for k, v in mixed.items() if v != values[k][0]}


def main(argv):
    game, options, number = argv[0], {}, dict(play=200, scatter=200, mix=0, seed=1, show=3)
    i = 1
    while i < len(argv):
        if argv[i] == "-o":
            k, _, v = argv[i + 1].partition("=")
            options[k] = v
        else:
            number[argv[i].lstrip("-")] = int(argv[i + 1])
        i += 2
    rest = number["play"], number["scatter"], number["seed"], number["show"]
    good = True
    for g in VALUES if game == "all" else [game]:
        for chosen in choices(g, number["mix"], number["seed"]) if game == "all" or number["mix"] else [options]:
            good = compare(g, dict(options, **chosen), *rest) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

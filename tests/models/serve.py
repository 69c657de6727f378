"""What the models share: options from the command line, a position a line in, its turns out."""
import json
import sys


def options(argv, defaults):
    chosen = {}
    for i, a in enumerate(argv):
        if a == "-o":
            k, _, v = argv[i + 1].partition("=")
            if k not in defaults:
                sys.exit("no option " + k)
            chosen[k] = v
    return chosen


def serve(game_class, defaults):
    game = game_class(options(sys.argv, defaults))
    for line in sys.stdin:
        if line.strip():
            j = json.loads(line)
            print(json.dumps(dict({"id": j.get("id")}, **game.answer(j.get("position", j))), ensure_ascii=False))

import json
import sys

from table import IllegalMove, Table

PLAYS = [{"game": "brouc", "editions": ["2022"], "setups": ["4"]}]
CAN = {"can": ["deal", "offturn", "winner"], "acts": ["play"]}
HELLO = {"protocol": 1, "engine": {"name": "table"}, "plays": PLAYS, **CAN}


def result(table, step):
    if "legal" in step:
        return {"legal": {"play": table.playable(step["legal"])}}
    if "winner" in step:
        return {"winner": table.winner}
    try:
        table.play(step["by"], step["act"]["play"])
    except IllegalMove:
        return {"no": True}
    return {"ok": True}


def answer(request):
    if request["op"] == "hello":
        return HELLO
    if request["op"] != "run":
        return {}
    start = request["start"]
    if "hands" not in start:
        return {"results": [{"skip": "nothing is dealt"}] * len(request["steps"])}
    hands = [start["hands"][seat] for seat in "0123"]
    table = Table(hands, start["turnup"][1], (start["dealer"] + 1) % 4)
    return {"results": [result(table, step) for step in request["steps"]]}


for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps({"id": request["id"], "ok": True, **answer(request)}), flush=True)

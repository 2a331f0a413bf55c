import json
import sys

from valid_cards import valid_cards

HELLO = {"protocol": 1, "engine": {"name": "valid-cards"}, "can": ["position"], "acts": ["play"],
         "plays": [{"game": "brouc", "editions": ["2022"], "setups": ["4"]}]}  # fmt: skip
for line in sys.stdin:
    request = json.loads(line)
    reply = {"id": request["id"], "ok": True} | (HELLO if request["op"] == "hello" else {})
    if request["op"] == "run":
        at = request["start"]["position"]
        cards = valid_cards(at["hand"], [laid["card"] for laid in at["trick"]], at["trump"])
        reply["results"] = [{"legal": {"play": cards}}]
    print(json.dumps(reply), flush=True)

"""A session with a language server: files are opened in it, and it is asked as an editor asks."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from queue import Queue
from threading import Thread
from types import TracebackType
from typing import Any, Self

#: For how many seconds a server may be silent before it is taken for dead.
_SILENCE = 60
_SETTINGS = {"yaml": {"validate": True, "hover": True, "completion": True, "schemaStore": {"enable": False}}}
_CAPABILITIES = {
    "textDocument": {
        "hover": {"contentFormat": ["markdown"]},
        "completion": {"completionItem": {"documentationFormat": ["markdown"]}},
        "publishDiagnostics": {},
    },
    "workspace": {"configuration": True},
}


class EditorSession:
    """What an editor and a language server say to each other over pipes; a file is named by its path."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen([*command], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._heard: Queue[Mapping[str, Any] | None] = Queue()
        self._listener = Thread(target=self._listen, daemon=True)
        self._listener.start()
        self._asked = 0
        self._diagnostics: dict[str, list[dict[str, Any]]] = {}

    def __enter__(self) -> Self:
        self._ask("initialize", {"processId": None, "rootUri": None, "capabilities": _CAPABILITIES})
        self._tell("initialized", {})
        self._tell("workspace/didChangeConfiguration", {"settings": _SETTINGS})
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.kill()
        self._process.wait()
        self._listener.join()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def open(self, path: Path, text: str) -> None:
        """Open a file with a text, which need not be what the file has."""
        document = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": text}
        self._tell("textDocument/didOpen", {"textDocument": document})

    def wait_diagnostics(self, path: Path) -> list[dict[str, Any]]:
        """Return what the server says of an open file as a whole."""
        while path.as_uri() not in self._diagnostics:
            self._hear()
        return self._diagnostics[path.as_uri()]

    def complete(self, path: Path, line: int, column: int) -> list[dict[str, Any]]:
        """Return what the server offers at a place of an open file, counted from 0."""
        found = self._ask("textDocument/completion", _place(path, line, column))
        return list(found["items"] if isinstance(found, dict) else found or ())

    def hover(self, path: Path, line: int, column: int) -> str:
        """Return what the server says of what stands at a place of an open file, counted from 0."""
        found = self._ask("textDocument/hover", _place(path, line, column))
        return str(found["contents"]["value"]) if found else ""

    def _listen(self) -> None:
        """Put what the server says into the queue, and None at its end."""
        pipe = self._process.stdout
        size = 0
        while pipe is not None and (line := pipe.readline()):
            name, _, value = line.decode().partition(":")
            if name.lower() == "content-length":
                size = int(value)
            elif not line.strip():
                self._heard.put(json.loads(pipe.read(size)))
        self._heard.put(None)

    def _hear(self) -> Mapping[str, Any]:
        """Return the next message, and answer it if the server asks for something."""
        message = self._heard.get(timeout=_SILENCE)
        if message is None:
            raise EOFError("the language server has ended")
        params = message.get("params")
        if message.get("method") == "textDocument/publishDiagnostics" and params:
            self._diagnostics[params["uri"]] = params["diagnostics"]
        elif message.get("method") == "workspace/configuration" and params:
            self._write({"id": message["id"], "result": [_SETTINGS.get(one["section"]) for one in params["items"]]})
        elif "method" in message and "id" in message:
            self._write({"id": message["id"], "result": None})
        return message

    def _ask(self, method: str, params: object) -> Any:
        self._asked += 1
        self._write({"id": self._asked, "method": method, "params": params})
        while (message := self._hear()).get("id") != self._asked or "method" in message:
            pass
        return message["result"]

    def _tell(self, method: str, params: object) -> None:
        self._write({"method": method, "params": params})

    def _write(self, message: Mapping[str, Any]) -> None:
        written = json.dumps({"jsonrpc": "2.0", **message}).encode()
        if self._process.stdin is not None:
            self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(written), written))
            self._process.stdin.flush()


def _place(path: Path, line: int, column: int) -> dict[str, Any]:
    return {"textDocument": {"uri": path.as_uri()}, "position": {"line": line, "character": column}}

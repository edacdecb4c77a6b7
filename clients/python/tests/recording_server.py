"""Server that records requests and returns canned responses."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import TracebackType
from typing import Any, Optional
from urllib.parse import parse_qs, urlsplit


@dataclass
class Answer:
    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]
    body: Any


class RecordingServer:
    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.answers: list[Answer] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                url = urlsplit(self.path)
                content = self.rfile.read(int(self.headers.get("content-length") or 0))
                outer.requests.append(
                    Request(
                        self.command,
                        url.path,
                        parse_qs(url.query, keep_blank_values=True),
                        {name.lower(): value for name, value in self.headers.items()},
                        json.loads(content) if content else None,
                    )
                )
                answer = outer.answers.pop(0) if outer.answers else Answer(500, {"error": {"code": "NoAnswer"}})
                sent = b"" if answer.body is None else json.dumps(answer.body).replace("{base}", outer.url).encode()
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value.replace("{base}", outer.url))
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(sent)))
                self.end_headers()
                self.wfile.write(sent)

            do_GET = do_PUT = do_PATCH = do_POST = do_DELETE = answer

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})

    def take(self) -> list[Request]:
        """Returns the requests since the last call."""
        taken, self.requests = self.requests, []
        return taken

    def __enter__(self) -> RecordingServer:
        self._thread.start()
        return self

    def __exit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from azure.core.credentials import AccessToken
from recording_server import RecordingServer

SUBSCRIPTION = "00000000-0000-0000-0000-00000000000a"


class Credential:
    def get_token(self, *scopes: str, **options: Any) -> AccessToken:
        return AccessToken("token", 2**31)


class AsyncCredential:
    async def get_token(self, *scopes: str, **options: Any) -> AccessToken:
        return AccessToken("token", 2**31)

    async def close(self) -> None:
        pass

    async def __aenter__(self) -> AsyncCredential:
        return self

    async def __aexit__(self, *details: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[RecordingServer]:
    with RecordingServer() as running:
        yield running

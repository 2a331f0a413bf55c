"""The sources of games that stand in no text: nine passages, none of which binds."""

from __future__ import annotations

from typing import Any

SOURCES: dict[str, Any] = {
    "format": "brou-sources/1",
    "works": [
        {
            "id": "nowhere",
            "title": "Nowhere",
            "language": "en",
            "passages": [
                {"id": f"p{number}", "at": f"p{number}", "normative": False, "reason": "Made up.", "sha256": "0" * 64}
                for number in range(1, 10)
            ],
        }
    ],
}

"""The floor of a write over HTTP: the server that Satchel runs on, doing nothing but an INSERT.

Started by `team.py` as `python -m benchmarks.team_floor_server DATABASE PORT`.
"""

from __future__ import annotations

import itertools
import sys

import psycopg
import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel


class Body(BaseModel):
    """What is posted: the same as to `/memory`."""

    kind: str
    content: str


def app_on(url: str) -> FastAPI:
    """Return an application with one route, which adds a row and commits it."""
    app, numbers = FastAPI(), itertools.count(1 << 40)
    connection = psycopg.connect(url, autocommit=True)

    @app.get("/readyz")
    def ready() -> dict[str, bool]:
        return {"ready": True}

    @app.post("/lines", status_code=201)
    def write(body: Body) -> dict[str, int]:
        number = next(numbers)
        values = (number, body.content.encode())
        connection.execute("INSERT INTO floor.lines VALUES (%s, %s)", values)
        return {"id": number}

    return app


if __name__ == "__main__":
    uvicorn.run(app_on(sys.argv[1]), port=int(sys.argv[2]), log_level="error", access_log=False)

"""Pages: what a browser shows."""

from fastapi import APIRouter, Request, Response

router = APIRouter()


def problem_page(request: Request, status: int, code: str, message: str) -> Response:
    """A page with the one line that says what was wrong."""
    return Response(f"{code}: {message}", status, media_type="text/plain; charset=utf-8")

"""What people touch in a browser, and scripts over HTTP: pages, JSON, event streams."""

from backroom.web.app import Settings, create_app, serve

__all__ = ["Settings", "create_app", "serve"]

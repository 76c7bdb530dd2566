"""Hints for bots that play Dark Sources."""

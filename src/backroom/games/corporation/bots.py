"""Hints for bots that play Corporation."""

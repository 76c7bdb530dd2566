"""Backroom: games of influence, with one set of rules for players, game masters, designers and bot writers."""

__version__ = "0.1.0"

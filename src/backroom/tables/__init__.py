"""Live play without HTTP: chairs, the store of accepted moves, talk, take-backs, and bots that sit in."""

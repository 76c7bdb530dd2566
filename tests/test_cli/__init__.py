"""The command line and the table in a terminal."""

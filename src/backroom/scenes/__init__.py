"""Data for the pages of tables, without HTML: scenes, the move in preparation, plots."""

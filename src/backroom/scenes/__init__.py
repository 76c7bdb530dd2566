"""What a page is told of a table, without HTML: scenes, the move in preparation, plots."""

"""Text of every game: position lines, worked examples, English, rulebooks, file names, what people write."""

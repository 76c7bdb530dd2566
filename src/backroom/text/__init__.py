"""Text of every game: worked examples, rulebooks, files that people name, and what people may write to each other."""

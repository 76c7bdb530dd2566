"""What a game is: records, kernels, chance, events, notation, matches. Knows no particular game."""

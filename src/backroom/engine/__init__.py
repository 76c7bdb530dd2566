"""The parts of a game: records, kernels, chance, events, notation, matches. No particular game is known here."""

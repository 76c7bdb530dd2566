"""Syndicats: bid for cats and houses, raid for money, and feed the Mogfather before the dogs come."""

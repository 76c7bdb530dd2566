"""The lab: thousands of simulated games, and what may be concluded from them."""

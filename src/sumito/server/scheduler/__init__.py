"""Background work: clocks, computer players, presence, outages, purges."""

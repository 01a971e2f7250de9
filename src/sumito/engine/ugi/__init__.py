"""UGI, the game-neutral UCI: `server` speaks it for our engine, `external` drives others."""

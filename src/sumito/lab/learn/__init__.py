"""Networks learnt from the engine's own games: self-play, training, generations."""

"""Training networks by self-play: samples, training, generations."""

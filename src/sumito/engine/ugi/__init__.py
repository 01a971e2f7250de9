"""UGI, the game-neutral UCI: what is said (`options`, `messages`), and both who say it.

`session` is our engine as a program, `external` drives another program as an engine.
"""

"""UGI, the game-neutral UCI: its options and messages, and the client for other programs.

`cli.ugi_session` runs this package's engine as a UGI program.
"""

"""The board in a terminal, full screen: mouse and keys, all modes, clocks, analysis, records.

What it needs beyond Python comes with the extra `[tui]`. `picture` paints a board in half blocks,
`board` is the widget around it, `selection` turns touched cells into moves. `play` is the screen of
a game; a `GameSession` is what it shows: `local` one at this keyboard, `online` one at a server.
`records` browses files of games, `setup` asks what to play, `app` puts them together.
"""

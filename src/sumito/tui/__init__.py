"""The full-screen terminal app: games in all modes, clocks, analysis and records.

Its dependencies come with the extra `[tui]`. `picture` paints a board in half blocks, `board` is
its widget, `selection` turns selected cells into moves. `play` is the screen of a game; it shows a
`GameSession`: `local` at this keyboard, `online` at a server. `records` browses files of games,
`setup` is the form for a new game, `app` combines the screens.
"""

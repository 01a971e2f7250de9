"""What tests share: positions, games, records, a browser, server processes, a reference referee."""

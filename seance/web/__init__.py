"""The pages and their server, for the local network: the ghost's seat, the table, the replay, the host's controls."""

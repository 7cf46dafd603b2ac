"""The ghost's seat and the table's page, for the local network; what is shown and asked comes and goes as values."""

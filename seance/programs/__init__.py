"""The programs of the command line, one module each: `add_parser(commands)` says how it is called."""

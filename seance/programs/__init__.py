"""The programs of the command line, one module each; `add_parser(commands)` adds its arguments."""

"""The evening on a terminal: a full screen where there is one, plain lines otherwise."""

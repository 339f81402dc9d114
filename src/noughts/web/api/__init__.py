"""The HTTP interface, one module for each kind of thing that can be asked."""

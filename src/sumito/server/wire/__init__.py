"""What goes over the wire, as structs: requests, commands, views, frames."""

"""Who is asked: programs as children, as objects, as ourselves, and what of a script each can be asked."""

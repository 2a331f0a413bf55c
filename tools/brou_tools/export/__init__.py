"""`brou export`: rules as JSON, and the guide for the author of an adapter."""

"""`brou fmt`: one written form for the chapter files."""

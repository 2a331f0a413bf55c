"""Open passages: the register, the scenarios that separate two readings, and how small these can be."""

"""`brou build`: an engine made from the rules, in C, WebAssembly, as a shared object or in Python."""

"""The rules in a browser: Pyodide, a library cut to what answers need, and bundles of typed rule bases."""

#: The package and the version of it that pages carry, as npm names them.
PACKAGE = "pyodide@314.0.7"

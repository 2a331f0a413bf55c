"""How the pages of `docs/` become a site."""

project = "Brou"
author = "The Brou contributors"
html_title = "Brou"
extensions = ["brou_tools.site.sphinx_directives", "myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "index"
exclude_patterns = ["_build", "README.md"]
html_theme = "brou"
html_static_path = ["_static"]
html_show_copyright = False
html_show_sourcelink = False
smartquotes = False
myst_heading_anchors = 3
nitpicky = True

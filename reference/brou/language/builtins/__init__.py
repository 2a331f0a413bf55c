"""The built-in functions, each a module that is named like it and holds all there is to say of it.

A built-in that is wrong is wrong in every back-end; therefore its signature, its plain meaning, its core form and its
examples are side by side.
"""

from brou.language.builtin import Registry

BUILTINS = Registry(__name__, __path__)

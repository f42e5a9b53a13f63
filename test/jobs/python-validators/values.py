"""Has the name of a module of the package for scripts."""

MOST_SITES = 2

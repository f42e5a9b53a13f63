from .data import deepmerge

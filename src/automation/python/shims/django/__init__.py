VERSION = (6, 1, 0, "final", 0)

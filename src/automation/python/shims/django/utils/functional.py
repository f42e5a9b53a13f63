from functools import cached_property

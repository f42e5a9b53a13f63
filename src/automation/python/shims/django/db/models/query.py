from expressions import Prefetch
from query_sets import Selection as QuerySet

from query_sets import Selection as RestrictedQuerySet

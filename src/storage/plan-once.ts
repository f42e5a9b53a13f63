/**
 * For writes, and for queries that select rows by ids: planning one for its values takes longer than executing it, and the server would
 * do so for every query with few ids, because it expects more. A plan must not be one for small tables, which scans them. Commands rather
 * than queries: a transaction that begins in the same message may still choose another isolation.
 */
export const PLAN_ONCE: readonly string[] = [
  'set plan_cache_mode = force_generic_plan',
  'set enable_seqscan = off',
]

/** For all other queries: planned for their values where the server expects that to be faster. */
export const PLAN_FOR_VALUES: readonly string[] = [
  'set plan_cache_mode = auto',
  'set enable_seqscan = on',
]

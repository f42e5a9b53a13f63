/**
 * For queries that select rows by ids: planning some for their values takes longer than executing them, and the server would
 * do so for every query with few ids, because it expects more. A plan must not be one for small tables, which scans them.
 */
export const PLAN_ONCE = `select set_config('plan_cache_mode', 'force_generic_plan', false), set_config('enable_seqscan', 'off', false)`

/** For all other queries: planned for their values where the server expects that to be faster. */
export const PLAN_FOR_VALUES = `select set_config('plan_cache_mode', 'auto', false), set_config('enable_seqscan', 'on', false)`

import type { Cache, CachedValue, CacheOptions } from './cache.ts'
import { type Dependencies, type ModelDependency, ReadDependencies, RowDependencies } from './dependencies.ts'
import { noteDependencies, noteModel, trackDependencies } from './read-set.ts'

/** Reads of more rows than this are rare, and would push everything else out of the cache. */
export const MOST_CACHED_ROWS = 1_000

/** A value computed from one row. */
export interface RowValue<T> {
  readonly value: T
  /** Dependencies of the cached values that were used for this row alone (`trackRow`). */
  readonly parts: readonly Dependencies[]
}

interface RowCaching<T> extends CacheOptions<T> {
  /** Name of the rows' model. */
  readonly model: string
  keyOf(id: number): string
  /** Values of the rows with these ids; rows that do not exist are missing. Reads them by `rowsOf(model, ids)`. */
  read(ids: readonly number[]): Promise<ReadonlyMap<number, RowValue<T>>>
}

/** Cached even for an id without a row, because lists of changes name deleted objects. */
const ABSENT = Symbol('absent')
/** A dependency on the set of existing rows. */
const MEMBERSHIP: ModelDependency = { isWhole: false, rows: [], columns: [new Set()] }

/** Values by the ids of rows. Work that uses one of these values depends on that row alone. */
export class RowValues<T> {
  readonly #entries = new Map<number, Uncached<T> | CachedValue<T>>()

  add(id: number, entry: Uncached<T> | CachedValue<T>): void {
    this.#entries.set(id, entry)
  }

  get(id: number): T | undefined {
    const entry = this.#entries.get(id)
    if (!entry) return undefined
    noteDependencies(entry.dependencies)
    return entry.value
  }
}

/** A value that must not be cached, or is not cached yet. */
interface Uncached<T> {
  readonly value: T
  readonly dependencies: Dependencies | undefined
}

const isPresent = <T>(entry: CachedValue<T | typeof ABSENT>): entry is CachedValue<T> => entry.value !== ABSENT

/** The values of rows that are not cached. */
export function uncachedRows<T>(rows: ReadonlyMap<number, RowValue<T>>): RowValues<T> {
  const values = new RowValues<T>()
  for (const [id, { value }] of rows) values.add(id, { value, dependencies: undefined })
  return values
}

/**
 * A value for each row with these ids; the missing ones are computed together. A change of a row makes its own value
 * stale, and values computed from it, but not those of other rows.
 */
export async function cachedRows<T>(
  cache: Cache,
  ids: Iterable<number>,
  caching: RowCaching<T>,
): Promise<RowValues<T>> {
  const { model, keyOf, read, without } = caching
  if (!cache.holds(caching)) return uncachedRows(await read([...ids]))
  const { changes } = cache
  const values = new RowValues<T>()
  const missing: number[] = []
  let isAnyAbsent = false
  for (const id of ids) {
    const entry = cache.findEntry<T | typeof ABSENT>(keyOf(id), without)
    if (!entry) missing.push(id)
    else if (isPresent(entry)) values.add(id, entry)
    else isAnyAbsent = true
  }
  if (isAnyAbsent) noteModel(model)
  if (missing.length === 0) return values
  const since = changes.version
  const { result, dependencies: shared } = await trackDependencies(changes, () => read(missing), missing)
  // The absence of a row depends on every insertion.
  if (result.size < missing.length) {
    noteModel(model)
    const absence = shared && new ReadDependencies(changes, since, new Map([[model, MEMBERSHIP]]), [shared])
    for (const id of missing.length <= MOST_CACHED_ROWS ? missing : []) {
      if (!result.has(id)) cache.keep(keyOf(id), ABSENT, absence, { ...caching, bytes: 0 })
    }
  }
  for (const [id, { value, parts }] of result) {
    const dependencies = shared && new RowDependencies(changes, since, { model, id }, { shared, parts })
    values.add(id, { value, dependencies })
    if (missing.length <= MOST_CACHED_ROWS) cache.keep(keyOf(id), value, dependencies, caching)
  }
  return values
}

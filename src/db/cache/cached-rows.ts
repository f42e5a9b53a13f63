import type { Cache, CacheOptions } from './cache.ts'
import { type Dependencies, type ModelDependency, ReadDependencies, RowDependencies } from './dependencies.ts'
import { noteDependencies, trackDependencies } from './read-set.ts'

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
  /** What the key of a value begins with; the id follows. */
  readonly keyPrefix: string
  /** Values of the rows with these ids; rows that do not exist are missing. Reads them by `rowsOf(model, ids)`. */
  read(ids: readonly number[]): Promise<ReadonlyMap<number, RowValue<T>>>
}

/** A dependency on the set of existing rows. */
const MEMBERSHIP: ModelDependency = { isWhole: false, rows: [], columns: [new Set()] }

/** The value of a row; undefined if there is no such row. */
interface RowEntry<T> {
  readonly value: T | undefined
  /** Undefined if the value must not be cached. */
  readonly dependencies: Dependencies | undefined
}

/** Values by the ids of rows. Work that uses one of these values depends on that row alone. */
export class RowValues<T> {
  readonly #entries: ReadonlyMap<number, RowEntry<T>>

  constructor(entries: ReadonlyMap<number, RowEntry<T>>) {
    this.#entries = entries
  }

  get(id: number): T | undefined {
    const entry = this.#entries.get(id)
    if (!entry) return undefined
    noteDependencies(entry.dependencies)
    return entry.value
  }
}

/** The values of rows that are not cached. */
export const uncachedRows = <T>(rows: ReadonlyMap<number, RowValue<T>>): RowValues<T> =>
  new RowValues(new Map([...rows].map(([id, { value }]) => [id, { value, dependencies: undefined }])))

/**
 * A value for each row with these ids; the missing ones are computed together. A change of a row makes its own value
 * stale, and values computed from it, but not those of other rows.
 */
export async function cachedRows<T>(
  cache: Cache,
  ids: Iterable<number>,
  caching: RowCaching<T>,
): Promise<RowValues<T>> {
  const { model, keyPrefix, read, without } = caching
  if (!cache.holds(caching)) return uncachedRows(await read([...ids]))
  const entries = new Map<number, RowEntry<T>>()
  const missing: number[] = []
  for (const id of ids) {
    const entry = cache.findEntry<T | undefined>(keyPrefix + id, without)
    if (entry) entries.set(id, entry)
    else missing.push(id)
  }
  if (missing.length === 0) return new RowValues(entries)
  const { changes } = cache
  const since = changes.version
  const { result, dependencies: shared } = await trackDependencies(changes, () => read(missing), missing)
  const add = <V extends T | undefined>(
    id: number,
    value: V,
    dependencies: RowEntry<T>['dependencies'],
    options: CacheOptions<V>,
  ) => {
    entries.set(id, { value, dependencies })
    if (missing.length <= MOST_CACHED_ROWS) cache.keep(keyPrefix + id, value, dependencies, options)
  }
  // The absence of a row depends on every insertion. It is cached, because lists of changes name deleted objects.
  const absence = shared && new ReadDependencies(changes, since, new Map([[model, MEMBERSHIP]]), [shared])
  for (const id of missing) {
    const row = result.get(id)
    if (!row) add(id, undefined, absence, { ...caching, bytes: 0 })
    else
      add(
        id,
        row.value,
        shared && new RowDependencies(changes, since, { model, id }, { shared, parts: row.parts }),
        caching,
      )
  }
  return new RowValues(entries)
}

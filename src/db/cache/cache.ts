import { LRUCache } from 'lru-cache'
import type { ChangeLog, Changes } from './change-log.ts'
import type { Dependencies } from './dependencies.ts'
import { noteDependencies, type Tracked, trackDependencies } from './read-set.ts'

/** A value with its dependencies. */
interface CachedValue<T> {
  readonly value: T
  readonly dependencies: Dependencies
}

/** Share of the budget that one entry may take. */
const LARGEST_PART = 8

/** Approximate bytes of an entry besides its value and key. */
const ENTRY_BYTES = 300
/** Bytes of a character in a key. */
const KEY_BYTES = 2

/** Bytes that are cached even if the budget is smaller: tokens, permissions, definitions and nested objects. */
export const SMALLEST_BUDGET = 8_388_608

interface CacheStatistics {
  readonly entries: number
  readonly bytes: number
  /** Lookups that found a fresh value, and those that did not. */
  readonly hits: number
  readonly misses: number
}

/** How a value is cached. */
export interface CacheOptions<T> {
  /** Approximate bytes of the value. */
  readonly bytes: number | ((value: T) => number)
  /** Nearly every request needs it, so it is cached however small the budget is. */
  readonly isEssential?: boolean
  /** Models with uncommitted changes: values that depend on one of them are neither found nor cached. */
  readonly without?: Models | undefined
}

/** Definitions of the inventory, which many requests share: custom fields, config contexts, event rules. */
export const DEFINITIONS_CACHING: CacheOptions<unknown> = { bytes: 4_000, isEssential: true }

type Models = Pick<ReadonlyMap<string, unknown>, 'keys'>

/**
 * Cache of values computed from the database. An entry is valid until the data that it was read from changes. All
 * values share one budget of bytes; the least recently used are removed first.
 */
export class Cache {
  readonly log: ChangeLog
  /** The changes that make values of this cache stale. */
  readonly changes: Changes
  readonly #entries: LRUCache<string, CachedValue<unknown>>
  /** Values that are being loaded. */
  readonly #loading = new Map<string, Promise<Tracked<unknown>>>()
  /** Whether the budget allows for more than essential values. */
  readonly #isRoomy: boolean
  #hits = 0
  #misses = 0

  /** `budget`: bytes. Below SMALLEST_BUDGET, only essential values are cached, up to SMALLEST_BUDGET bytes. */
  constructor(log: ChangeLog, budget: number, changes: Changes = log) {
    this.log = log
    this.changes = changes
    this.#isRoomy = budget >= SMALLEST_BUDGET
    const maxSize = Math.max(budget, SMALLEST_BUDGET)
    this.#entries = new LRUCache({ maxSize, maxEntrySize: Math.ceil(maxSize / LARGEST_PART) })
  }

  /** The fresh value under the key; its dependencies are then added to those of the calling work. */
  find<T>(key: string, without?: Models): T | undefined {
    const entry = this.findEntry<T>(key, without)
    if (entry) noteDependencies(entry.dependencies)
    return entry?.value
  }

  /** As `find`, but returns the dependencies too; the caller notes them if it uses the value. */
  findEntry<T>(key: string, without?: Models): CachedValue<T> | undefined {
    const entry = this.#entries.get(key)
    if (entry?.dependencies.isFresh() === false) this.#entries.delete(key)
    else if (entry && !(without && includesAny(entry.dependencies, without))) {
      this.#hits += 1
      return entry as CachedValue<T> // the key names one sort of value, so the type is the caller's own
    }
    this.#misses += 1
    return undefined
  }

  /**
   * Whether there is room for such values; for essential values there always is. If not, their dependencies need not be
   * tracked.
   */
  holds({ isEssential = false }: Pick<CacheOptions<unknown>, 'isEssential'> = {}): boolean {
    return isEssential || this.#isRoomy
  }

  /** Caches the value if its dependencies allow it. */
  keep<T>(key: string, value: T, dependencies: Dependencies | undefined, options: CacheOptions<T>): void {
    const { bytes, without } = options
    if (!dependencies || this.log.isSuspended || !this.holds(options)) return
    if (without && includesAny(dependencies, without)) return
    const valueBytes = typeof bytes === 'number' ? bytes : bytes(value)
    const size = Math.ceil(valueBytes) + KEY_BYTES * key.length + ENTRY_BYTES
    this.#entries.set(key, { value, dependencies }, { size })
  }

  /**
   * The cached value under the key, or the one that `load` returns, which is then cached. Failures are not cached. Callers
   * that ask for a value while it is loaded wait for it.
   */
  async get<T>(key: string, load: () => Promise<T>, options: CacheOptions<T>): Promise<T> {
    if (!this.holds(options)) return await load()
    const cached = this.find<T>(key, options.without)
    if (cached !== undefined) return cached
    const pending = options.without ? undefined : this.#loading.get(key)
    const shared = pending && (await freshResult<T>(pending))
    if (shared) {
      noteDependencies(shared.dependencies)
      return shared.value
    }
    const loading = trackDependencies(this.changes, load)
    const { result, dependencies } = await (options.without ? loading : this.#share(key, loading))
    noteDependencies(dependencies)
    this.keep(key, result, dependencies, options)
    return result
  }

  /** The value; other callers find it while it is loaded. */
  async #share<T>(key: string, loading: Promise<Tracked<T>>): Promise<Tracked<T>> {
    this.#loading.set(key, loading)
    try {
      return await loading
    } finally {
      if (this.#loading.get(key) === loading) this.#loading.delete(key)
    }
  }

  /** Drops everything. */
  clear(): void {
    this.log.clear()
    this.#entries.clear()
  }

  statistics(): CacheStatistics {
    return {
      entries: this.#entries.size,
      bytes: this.#entries.calculatedSize,
      hits: this.#hits,
      misses: this.#misses,
    }
  }
}

/** A part of a cache, with its own keys and a share in the common budget. */
export class CachePart extends Cache {
  readonly #whole: Cache
  readonly #prefix: string

  /**
   * `prefix`: the first characters of all keys of this part, and of no other keys. `changes`: those that make its
   * values stale; by default those of the whole cache.
   */
  constructor(whole: Cache, prefix: string, changes = whole.changes) {
    super(whole.log, 0, changes)
    this.#whole = whole
    this.#prefix = prefix
  }

  override findEntry<T>(key: string, without?: Models): CachedValue<T> | undefined {
    return this.#whole.findEntry(this.#prefix + key, without)
  }

  override holds(options?: Pick<CacheOptions<unknown>, 'isEssential'>): boolean {
    return this.#whole.holds(options)
  }

  override keep<T>(key: string, value: T, dependencies: Dependencies | undefined, options: CacheOptions<T>): void {
    this.#whole.keep(this.#prefix + key, value, dependencies, options)
  }

  override clear(): void {
    this.#whole.clear()
  }

  override statistics(): CacheStatistics {
    return this.#whole.statistics()
  }
}

function includesAny(dependencies: Dependencies, models: Models): boolean {
  for (const model of models.keys()) if (dependencies.includes(model)) return true
  return false
}

/** The value that another caller is loading, if it is still fresh when it arrives. */
async function freshResult<T>(loading: Promise<Tracked<unknown>>): Promise<CachedValue<T> | undefined> {
  const tracked = await loading.catch(() => undefined)
  if (!tracked?.dependencies?.isFresh()) return undefined
  return { value: tracked.result as T, dependencies: tracked.dependencies } // as in findEntry
}

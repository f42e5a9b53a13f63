import { noteModels } from './footprint.ts'

/**
 * Answers that stay true until a table changes: custom field definitions, counts, brief forms.
 * Invalidated at commit, by model name. A load that was under way when its tables changed is used
 * for its own request and not kept.
 */
export class Memory {
  readonly #kept = new Map<
    string,
    { readonly value: unknown; readonly models: readonly string[] }
  >()
  /** When each model changed last. */
  readonly #changed = new Map<string, number>()
  readonly #watches: { readonly models: readonly string[]; readonly listener: () => void }[] = []
  #cleared = 0
  #moment = 0
  #isSuspended = false
  #hits = 0
  #misses = 0

  /** The kept answer under `key`, or what `load` brings; `models` are what it depends on. */
  async get<T>(key: string, models: readonly string[], load: () => Promise<T>): Promise<T> {
    noteModels(models)
    const kept = this.#kept.get(key)
    if (kept) {
      this.#hits += 1
      return kept.value as T // the key names one question, so the type is the caller's own
    }
    this.#misses += 1
    const before = this.moment
    const value = await load()
    if (this.isUnchanged(models, before)) this.#kept.set(key, { value, models })
    return value
  }

  /** Drops everything that depends on one of the models. Called after each commit. */
  forget(models: Iterable<string>): void {
    const changed = new Set(models)
    this.#moment += 1
    for (const name of changed) this.#changed.set(name, this.#moment)
    for (const [key, { models: needed }] of this.#kept) {
      if (needed.some((name) => changed.has(name))) this.#kept.delete(key)
    }
    for (const { models: watched, listener } of this.#watches) {
      if (watched.some((name) => changed.has(name))) listener()
    }
  }

  /** Keeps nothing until `resume`: changes by other processes would go unnoticed. */
  suspend(): void {
    this.#isSuspended = true
    this.clear()
  }

  resume(): void {
    this.#isSuspended = false
    this.clear()
  }

  /** Drops everything: after an import, or when notifications may have been missed. */
  clear(): void {
    this.#moment += 1
    this.#cleared = this.#moment
    this.#kept.clear()
    for (const { listener } of this.#watches) listener()
  }

  /** Calls `listener` whenever rows of one of the models may have changed, by any process. */
  watch(models: readonly string[], listener: () => void): void {
    this.#watches.push({ models, listener })
  }

  /** How many answers are kept, and how often one was asked for and was there, or was not. */
  statistics(): { readonly kept: number; readonly hits: number; readonly misses: number } {
    return { kept: this.#kept.size, hits: this.#hits, misses: this.#misses }
  }

  /** A number that grows with every change of anything: to be asked before what is to be kept is read. */
  get moment(): number {
    return this.#moment
  }

  /** Whether what was read at that moment, or later, of these models still holds. */
  isUnchanged(models: Iterable<string>, since: number): boolean {
    if (this.#isSuspended || this.#cleared > since) return false
    if (since === this.#moment) return true
    for (const model of models) {
      const changed = this.#changed.get(model)
      if (changed !== undefined && changed > since) return false
    }
    return true
  }
}

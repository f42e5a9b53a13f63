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
  readonly #versions = new Map<string, number>()
  #epoch = 0
  #isSuspended = false

  /** The kept answer under `key`, or what `load` brings; `models` are what it depends on. */
  async get<T>(key: string, models: readonly string[], load: () => Promise<T>): Promise<T> {
    const kept = this.#kept.get(key)
    if (kept) return kept.value as T // the key names one question, so the type is the caller's own
    const before = this.#stamp(models)
    const value = await load()
    if (!this.#isSuspended && this.#stamp(models) === before) this.#kept.set(key, { value, models })
    return value
  }

  /** Drops everything that depends on one of the models. Called after each commit. */
  forget(models: Iterable<string>): void {
    const changed = new Set(models)
    for (const name of changed) this.#versions.set(name, this.version(name) + 1)
    for (const [key, { models: needed }] of this.#kept) {
      if (needed.some((name) => changed.has(name))) this.#kept.delete(key)
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
    this.#epoch += 1
    this.#kept.clear()
  }

  /** Number of changes of a model seen so far; grows with every commit that touched it. */
  version(model: string): number {
    return this.#versions.get(model) ?? 0
  }

  #stamp(models: readonly string[]): string {
    return [this.#epoch, ...models.map((name) => this.version(name))].join(' ')
  }
}

import { decodeChange, type ModelChange } from './model-change.ts'

interface Commit {
  readonly version: number
  readonly changes: readonly ModelChange[]
}

/** Receives the changes of a commit; none if they are not known. */
export type Notify = (changes?: readonly ModelChange[]) => void

/** Number of recent commits whose rows and columns are kept; of older ones only the models are known. */
const RECENT = 256

/**
 * The committed changes that this process knows of, numbered by versions. An entry of the cache is checked against the
 * changes after its version.
 */
export class ChangeLog {
  #version = 0
  #clearedAt = 0
  #isSuspended = false
  #recent: Commit[] = []
  /** Version of the latest change of each model among commits that are no longer recent. */
  readonly #older = new Map<string, number>()

  readonly #watchers: { readonly models: ReadonlySet<string>; readonly notify: Notify }[] = []
  readonly #watchersOfAll: Notify[] = []

  /** Grows with every change. To be read before the data of an entry. */
  get version(): number {
    return this.#version
  }

  /** Whether changes may be missed, so that nothing may be cached. */
  get isSuspended(): boolean {
    return this.#isSuspended
  }

  /** Half of them at a time, since removing from the start of an array is slow. */
  record(changes: readonly ModelChange[]): void {
    if (changes.length === 0) return
    this.#version += 1
    this.#recent.push({ version: this.#version, changes })
    // Half at a time, since an array is slow to shift.
    if (this.#recent.length > 2 * RECENT) this.#forgetDetails(this.#recent.splice(0, RECENT))
    for (const notify of this.#watchersOfAll) notify(changes)
    for (const { models, notify } of this.#watchers) {
      const ofModels = changes.filter(({ model }) => models.has(model))
      if (ofModels.length > 0) notify(ofModels)
    }
  }

  /** Calls `notify` whenever one of the models may have changed, with the changes of these models. */
  watch(models: Iterable<string>, notify: Notify): void {
    this.#watchers.push({ models: new Set(models), notify })
  }

  /** Calls `notify` with every change, before the watchers of its models. */
  watchAll(notify: Notify): void {
    this.#watchersOfAll.push(notify)
  }

  /** As `record`, for changes of another process in the format of `encodeChanges`. */
  invalidate(words: Iterable<string>): void {
    this.record(Array.from(words, decodeChange))
  }

  /** Invalidates everything: after an import, or when notifications may have been missed. */
  clear(): void {
    this.#version += 1
    this.#clearedAt = this.#version
    this.#recent = []
    this.#older.clear()
    for (const notify of this.#watchersOfAll) notify()
    for (const { notify } of this.#watchers) notify()
  }

  /** Invalidates everything and prevents caching until `resume`: changes by other processes would be missed. */
  suspend(): void {
    this.#isSuspended = true
    this.clear()
  }

  resume(): void {
    this.#isSuspended = false
    this.clear()
  }

  /**
   * Whether a change after that version makes the value stale: `isAffected` decides for changes with known details,
   * `dependsOn` for models with unknown changes.
   */
  hasChanged(
    since: number,
    isAffected: (change: ModelChange) => boolean,
    dependsOn: (model: string) => boolean,
  ): boolean {
    if (this.#clearedAt > since) return true
    for (let index = this.#recent.length - 1; index >= 0; index--) {
      const commit = this.#recent[index]
      if (!commit || commit.version <= since) return false
      if (commit.changes.some(isAffected)) return true
    }
    for (const [model, version] of this.#older) {
      if (version > since && dependsOn(model)) return true
    }
    return false
  }

  #forgetDetails(commits: readonly Commit[]): void {
    for (const { version, changes } of commits) {
      for (const { model } of changes) this.#older.set(model, version)
    }
  }
}

import { decodeChange, type ModelChange, nameOf } from './model-change.ts'

interface Commit {
  readonly version: number
  readonly changes: readonly ModelChange[]
}

/** Receives the changes of a commit; none if they are not known. */
export type Notify = (changes?: readonly ModelChange[]) => void

/** The changes that can make cached values stale: those of main, or of main and a branch. */
export interface Changes {
  /** Increases with every change. It must be read before the data of an entry. */
  readonly version: number
  /** Whether changes may be missed, so that nothing may be cached. */
  readonly isSuspended: boolean
  /** Whether a change after that version makes the dependent value stale. */
  hasChanged(since: number, dependent: Dependent): boolean
}

/** A value that changes can make stale. */
interface Dependent {
  /** For a change with known details. */
  isAffectedBy(change: ModelChange): boolean
  /** For unknown changes of a model. */
  dependsOn(model: string): boolean
}

/** Number of recent commits whose rows and columns are kept; of older ones only the models are known. */
const RECENT = 256

/**
 * The committed changes that this process knows of, numbered by versions. An entry of the cache is checked against the
 * changes after its version.
 */
export class ChangeLog implements Changes {
  #version = 0
  #clearedAt = 0
  #isSuspended = false
  #recent: Commit[] = []
  /** The latest change of each model, of main and of branches, among commits that are no longer recent. */
  readonly #older = new Map<string, { readonly version: number; readonly change: ModelChange }>()

  readonly #watchers: { readonly models: ReadonlySet<string>; readonly notify: Notify }[] = []
  readonly #watchersOfAll: Notify[] = []

  get version(): number {
    return this.#version
  }

  get isSuspended(): boolean {
    return this.#isSuspended
  }

  /** Half of them are removed at a time, since removing from the start of an array is slow. */
  record(changes: readonly ModelChange[]): void {
    if (changes.length === 0) return
    this.#version += 1
    this.#recent.push({ version: this.#version, changes })
    // Half at a time, since shifting an array is slow.
    if (this.#recent.length > 2 * RECENT) this.#forgetDetails(this.#recent.splice(0, RECENT))
    for (const notify of this.#watchersOfAll) notify(changes)
    const ofMain = changes.filter(({ branch }) => branch === undefined)
    for (const { models, notify } of this.#watchers) {
      const ofModels = ofMain.filter(({ model }) => models.has(model))
      if (ofModels.length > 0) notify(ofModels)
    }
  }

  /** Calls `notify` whenever one of the models may have changed on main, with the changes of these models. */
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

  hasChanged(since: number, dependent: Dependent): boolean {
    return this.#hasChanged(since, dependent, undefined)
  }

  /** The changes of main and of the branch with this id. */
  withBranch(id: number): Changes {
    const log = this
    return {
      get version() {
        return log.version
      },
      get isSuspended() {
        return log.isSuspended
      },
      hasChanged: (since, dependent) => this.#hasChanged(since, dependent, id),
    }
  }

  /** `ofBranch`: the branch whose changes count besides those of main. */
  #hasChanged(since: number, dependent: Dependent, ofBranch: number | undefined): boolean {
    if (this.#clearedAt > since) return true
    for (let index = this.#recent.length - 1; index >= 0; index--) {
      const commit = this.#recent[index]
      if (!commit || commit.version <= since) return false
      for (const change of commit.changes) {
        if ((change.branch === undefined || change.branch === ofBranch) && dependent.isAffectedBy(change)) return true
      }
    }
    for (const { version, change } of this.#older.values()) {
      if (
        version > since &&
        (change.branch === undefined || change.branch === ofBranch) &&
        dependent.dependsOn(change.model)
      )
        return true
    }
    return false
  }

  #forgetDetails(commits: readonly Commit[]): void {
    for (const { version, changes } of commits) {
      for (const change of changes) this.#older.set(nameOf(change), { version, change })
    }
  }
}

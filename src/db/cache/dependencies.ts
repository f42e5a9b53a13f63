import type { Changes } from './change-log.ts'
import type { ModelChange } from './model-change.ts'

/**
 * The data that a cached value depends on. The value is fresh until a change of that data is recorded; from then on it
 * stays stale.
 */
export interface Dependencies {
  isFresh(): boolean
  /** Whether a change of the model could make it stale. */
  includes(model: string): boolean
}

/** How a value depends on the rows of one model. */
export interface ModelDependency {
  /** On all rows, in every respect. */
  isWhole: boolean
  /** On rows with these ids, whichever column changes. */
  readonly rows: (readonly number[])[]
  /** On the set of rows, and on these columns of any row. */
  readonly columns: ReadonlySet<string>[]
}

/** Whether the change can alter a value with this dependency on the model. */
function isAffected({ isWhole, rows, columns }: ModelDependency, change: ModelChange): boolean {
  if (isWhole || !change.rows) return true
  for (const row of change.rows) if (rows.some((ids) => ids.includes(row))) return true
  if (columns.length === 0) return false
  if (!change.columns) return true
  for (const column of change.columns) if (columns.some((names) => names.has(column))) return true
  return false
}

/** Checks each change once: a value that was fresh at a version only has to be compared with the changes after it. */
abstract class Checked implements Dependencies {
  readonly #log: Changes
  #checked: number
  #isStale = false

  /** `since`: the version of the log before the data was read. */
  constructor(log: Changes, since: number) {
    this.#log = log
    this.#checked = since
  }

  isFresh(): boolean {
    if (this.#isStale) return false
    const { version } = this.#log
    if (this.#checked === version) return true
    this.#isStale = this.hasChanged(this.#log, this.#checked)
    this.#checked = version
    return !this.#isStale
  }

  abstract includes(model: string): boolean
  protected abstract hasChanged(log: Changes, since: number): boolean
}

/** The dependencies of a result of several reads. */
export class ReadDependencies extends Checked {
  readonly #models: ReadonlyMap<string, ModelDependency>
  readonly #parts: readonly Dependencies[]

  /** `parts`: the dependencies of cached values that were used. */
  constructor(
    log: Changes,
    since: number,
    models: ReadonlyMap<string, ModelDependency>,
    parts: readonly Dependencies[],
  ) {
    super(log, since)
    this.#models = models
    this.#parts = parts
  }

  includes(model: string): boolean {
    return this.#models.has(model) || this.#parts.some((dependency) => dependency.includes(model))
  }

  protected hasChanged(log: Changes, since: number): boolean {
    return !this.#parts.every((dependency) => dependency.isFresh()) || log.hasChanged(since, this)
  }

  isAffectedBy(change: ModelChange): boolean {
    const dependency = this.#models.get(change.model)
    return dependency !== undefined && isAffected(dependency, change)
  }

  dependsOn(model: string): boolean {
    return this.#models.has(model)
  }
}

/**
 * The dependencies of a value computed from one row of a model: on the row, on cached values that only this row used
 * (`parts`), and on what was read for it together with other rows (`shared`).
 */
export class RowDependencies extends Checked {
  readonly #model: string
  readonly #id: number
  readonly #shared: Dependencies
  readonly #parts: readonly Dependencies[]

  constructor(
    log: Changes,
    since: number,
    row: { readonly model: string; readonly id: number },
    { shared, parts }: { readonly shared: Dependencies; readonly parts: readonly Dependencies[] },
  ) {
    super(log, since)
    this.#model = row.model
    this.#id = row.id
    this.#shared = shared
    this.#parts = parts
  }

  includes(model: string): boolean {
    return (
      model === this.#model ||
      this.#shared.includes(model) ||
      this.#parts.some((dependency) => dependency.includes(model))
    )
  }

  protected hasChanged(log: Changes, since: number): boolean {
    if (!this.#shared.isFresh() || !this.#parts.every((dependency) => dependency.isFresh())) return true
    return log.hasChanged(since, this)
  }

  isAffectedBy({ model, rows }: ModelChange): boolean {
    return model === this.#model && (rows === undefined || rows.has(this.#id))
  }

  dependsOn(model: string): boolean {
    return model === this.#model
  }
}

import type { Statement, TableChange } from '../../sql/statement.ts'

/** The rows and columns of one model that a transaction changed. */
export interface ModelChange {
  readonly model: string
  /** Ids of existing rows that were updated or deleted; undefined if they are not known: any row may have changed. */
  readonly rows: ReadonlySet<number> | undefined
  /** Names of the updated columns; undefined if rows were inserted or deleted, or if they are not known. */
  readonly columns: ReadonlySet<string> | undefined
}

/** Any row of the model may have changed in any way. */
export const wholeModel = (model: string): ModelChange => ({
  model,
  rows: undefined,
  columns: undefined,
})

/** The change that a statement declares. */
export const changeOf = ({ model, change }: TableChange): ModelChange =>
  change ? { model, rows: new Set(change.rows), columns: change.columns && new Set(change.columns) } : wholeModel(model)

/** More rows than this of one model are not listed; then any of them may have changed. */
export const MOST_ROWS = 200

/** The changes of a transaction, gathered statement by statement. */
export class ChangeSet {
  readonly #changes = new Map<string, ModelChange>()
  readonly #statements = new Map<string, number>()

  /** Adds what a statement changes. */
  addStatement({ changes }: Pick<Statement, 'changes'>): void {
    for (const change of changes) this.add(changeOf(change))
  }

  add(change: ModelChange): void {
    const { model } = change
    const earlier = this.#changes.get(model)
    this.#changes.set(model, limited(earlier ? merged(earlier, change) : change))
    this.#statements.set(model, (this.#statements.get(model) ?? 0) + 1)
  }

  /** One change for each model. */
  get all(): readonly ModelChange[] {
    return [...this.#changes.values()]
  }

  /** Number of statements that changed each model, by its name. */
  get statements(): ReadonlyMap<string, number> {
    return this.#statements
  }
}

/** Changes of a transaction so far. */
export type UncommittedChanges = Pick<ChangeSet, 'all' | 'statements'>

const merged = (one: ModelChange, other: ModelChange): ModelChange => ({
  model: one.model,
  rows: one.rows && other.rows && new Set([...one.rows, ...other.rows]),
  columns: one.columns && other.columns && new Set([...one.columns, ...other.columns]),
})

const limited = (change: ModelChange): ModelChange =>
  change.rows && change.rows.size > MOST_ROWS ? { ...change, rows: undefined } : change

/** Represents columns that are not listed. */
const ANY_COLUMN = '*'
/** PostgreSQL's limit for a notification is 8,000 bytes, with the name of its sender. */
const MOST_CHARACTERS = 7_000

/**
 * The changes as words without spaces, for other processes: `dcim.site` for any change of the model, otherwise
 * `dcim.site:<ids>:<columns>`, separated by commas. If that is too long, only the models are named.
 */
export function encodeChanges(changes: readonly ModelChange[]): readonly string[] {
  const words = changes.map(encodeChange)
  const length = words.reduce((sum, word) => sum + word.length + 1, 0)
  return length > MOST_CHARACTERS ? changes.map(({ model }) => model) : words
}

function encodeChange({ model, rows, columns }: ModelChange): string {
  if (!rows) return model
  return `${model}:${[...rows].join(',')}:${columns ? [...columns].join(',') : ANY_COLUMN}`
}

/** The change that such a word encodes. */
export function decodeChange(word: string): ModelChange {
  const [model = '', rows, columns] = word.split(':')
  if (rows === undefined || columns === undefined) return wholeModel(model)
  return {
    model,
    rows: new Set(rows === '' ? [] : rows.split(',').map(Number)),
    columns: columns === ANY_COLUMN ? undefined : new Set(columns.split(',')),
  }
}

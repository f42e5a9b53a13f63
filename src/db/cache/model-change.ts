import type { Statement, TableChange } from '../../sql/statement.ts'

/** The rows and columns of one model that a transaction changed. */
export interface ModelChange {
  readonly model: string
  /** Ids of existing rows that were updated or deleted; undefined if they are not known: any row may have changed. */
  readonly rows: ReadonlySet<number> | undefined
  /** Names of the updated columns; undefined if rows were inserted or deleted, or if they are not known. */
  readonly columns: ReadonlySet<string> | undefined
  /** Id of the branch that changed its own rows; undefined for main, whose changes branches show too. */
  readonly branch?: number | undefined
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

/** If more rows of one model change, they are not listed, and any row may have changed. */
export const MOST_ROWS = 200

/** The changes of a transaction, gathered statement by statement. */
export class ChangeSet {
  readonly #changes = new Map<string, ModelChange>()
  readonly #statements = new Map<string, number>()

  /** Adds what a statement changes. */
  addStatement({ uses, branch }: Statement): void {
    for (const change of uses.changes) this.add({ ...changeOf(change), ...(branch !== undefined && { branch }) })
  }

  add(change: ModelChange): void {
    const { model } = change
    const key = nameOf(change)
    const earlier = this.#changes.get(key)
    this.#changes.set(key, limited(earlier ? merged(earlier, change) : change))
    this.#statements.set(model, (this.#statements.get(model) ?? 0) + 1)
  }

  /** One change for each model of main, and of each branch. */
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

const merged = (earlier: ModelChange, later: ModelChange): ModelChange => ({
  ...earlier,
  rows: earlier.rows && later.rows && new Set([...earlier.rows, ...later.rows]),
  columns: earlier.columns && later.columns && new Set([...earlier.columns, ...later.columns]),
})

const limited = (change: ModelChange): ModelChange =>
  change.rows && change.rows.size > MOST_ROWS ? { ...change, rows: undefined } : change

/** `dcim.site`, or `dcim.site@5` in the branch with the id 5. */
export const nameOf = ({ model, branch }: Pick<ModelChange, 'model' | 'branch'>): string =>
  branch === undefined ? model : `${model}@${branch}`

/** Represents columns that are not listed. */
const ANY_COLUMN = '*'
/** PostgreSQL's limit for a notification is 8,000 bytes, with the name of its sender. */
const MOST_CHARACTERS = 7_000

/**
 * The changes as words without spaces, for other processes: `dcim.site` for any change of the model, otherwise
 * `dcim.site:<ids>:<columns>`, separated by commas; `dcim.site@5` in a branch. If that is too long, only the models are named.
 */
export function encodeChanges(changes: readonly ModelChange[]): readonly string[] {
  const words = changes.map(encodeChange)
  const length = words.reduce((sum, word) => sum + word.length + 1, 0)
  return length > MOST_CHARACTERS ? changes.map(nameOf) : words
}

function encodeChange(change: ModelChange): string {
  const { rows, columns } = change
  if (!rows) return nameOf(change)
  return `${nameOf(change)}:${[...rows].join(',')}:${columns ? [...columns].join(',') : ANY_COLUMN}`
}

/** The change that such a word encodes. */
export function decodeChange(word: string): ModelChange {
  const [name = '', rows, columns] = word.split(':')
  const [model = '', branch] = name.split('@')
  const whole = { ...wholeModel(model), ...(branch !== undefined && { branch: Number(branch) }) }
  if (rows === undefined || columns === undefined) return whole
  return {
    ...whole,
    rows: new Set(rows === '' ? [] : rows.split(',').map(Number)),
    columns: columns === ANY_COLUMN ? undefined : new Set(columns.split(',')),
  }
}

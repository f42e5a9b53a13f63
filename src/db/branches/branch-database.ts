import { ApiError } from '../../base/errors.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { branchStatement, type Sql, sql, volatile } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import { noteStatement, untracked } from '../cache/read-set.ts'
import type { Database, Transaction } from '../database.ts'
import { branchedModels } from './branch-tables.ts'
import { neededReads } from './required-references.ts'

/**
 * The database as seen in a branch: every statement reads main's rows, replaced by the branch's own where the branch
 * has changed them, and writes to the branch. Writes in one branch run one after the other, since a view has no unique
 * constraints. Throws ApiError for writes of data that branches share, and `conflict` once the branch is closed.
 */
export function branchDatabase(database: Database, registry: Registry, id: number): Database {
  const shared = sharedCollections(registry)
  const branched = branchedModels(registry)
  const enter = (transaction: Transaction): Transaction => {
    transaction.send(enterBranch(id))
    return transactionInBranch(transaction, (statement) => {
      const refused = statement.writes.find((name) => shared.has(name))
      if (refused !== undefined) throw new ApiError({ kind: 'malformed', detail: refusalOf(registry, refused) })
      return statement.writes.every((name) => branched.has(name)) ? id : undefined
    })
  }
  const needed = neededReads(registry)
  const read = async <T>(statement: Sql, run: (queryable: Queryable) => Promise<T>): Promise<T> => {
    noteStatement(statement)
    const { reads, rowReads } = statement.statement.uses
    for (const model of new Set([...reads, ...rowReads.map(({ model }) => model)])) {
      const otherRows = needed.get(model)
      if (otherRows) noteStatement(otherRows)
    }
    return await untracked(() => database.transaction((transaction) => run(enter(transaction))))
  }
  const writing =
    <T>(work: (transaction: Transaction) => Promise<T>) =>
    async (transaction: Transaction): Promise<T> => {
      await requireOpen(transaction, id)
      return await work(enter(transaction))
    }
  return {
    ...database,
    query: (statement) => read(statement, (queryable) => queryable.query(statement)),
    queryArrays: (statement) => read(statement, (queryable) => queryable.queryArrays(statement)),
    queryColumn: (statement) => read(statement, (queryable) => queryable.queryColumn(statement)),
    execute: (statement) => database.transaction(writing((transaction) => transaction.execute(statement))),
    transaction: (work) => database.transaction(writing(work)),
    rollBack: (work) => database.rollBack(writing(work)),
  }
}

/** Runs work that reads the branch within a transaction on main. */
export async function readingBranch<T>(
  transaction: Transaction,
  id: number,
  work: (queryable: Transaction) => Promise<T>,
): Promise<T> {
  transaction.send(enterBranch(id))
  const result = await work(transactionInBranch(transaction, () => undefined))
  transaction.send(volatile`select set_config('search_path', 'public', true)`)
  return result
}

/** Names of the models that clients can write and that all branches share. */
const sharedCollections = oncePer((registry: Registry): ReadonlySet<string> => {
  const branched = branchedModels(registry)
  const shared = [...registry.models.values()].filter(({ name, path }) => path !== '' && !branched.has(name))
  return new Set(shared.map(({ name }) => name))
})

const refusalOf = (registry: Registry, name: string): string => {
  const [, plural] = registry.model(name).definition.labels
  return `Branches share ${plural}, so they cannot be changed in a branch. Send the request without the branch.`
}

/** Statements of the transaction find the branch's views before the tables. */
const enterBranch = (id: number): Sql => volatile`
  select set_config('search_path', 'branch, public', true), set_config('cadastre.branch', ${String(id)}, true)`

/** Id of the advisory locks of branches, chosen at random. */
const LOCK = 911_204

/**
 * Waits for other writes to the branch, including its merge. Throws `malformed` if the branch is closed: clients of
 * NetBox's branching plug-in take 409 for a conflict (pynetbox.extensions.BranchingExtension).
 */
export async function requireOpen(transaction: Transaction, id: number): Promise<void> {
  transaction.send(volatile`select pg_advisory_xact_lock(${LOCK}::int, ${id}::int)`)
  const [row] = await transaction.query<{ status: string }>(
    sql`select status from ${table(SYSTEM.branch)} where id = ${id}::bigint for key share`,
  )
  if (row?.status === OPEN) return
  const detail = row ? `The branch is ${row.status}: nothing can be changed in it.` : 'The branch has been deleted.'
  throw new ApiError({ kind: 'malformed', detail })
}

/** Status of a branch that can be read and written. */
export const OPEN = 'ready'

/** The transaction in a branch. `branchOf` is called with each statement, and returns the branch whose rows it writes. */
function transactionInBranch(transaction: Transaction, branchOf: (statement: Sql) => number | undefined): Transaction {
  const marked = (statement: Sql): Sql => branchStatement(statement, branchOf(statement))
  return {
    ...transaction,
    query: (statement) => transaction.query(marked(statement)),
    queryArrays: (statement) => transaction.queryArrays(marked(statement)),
    queryColumn: (statement) => transaction.queryColumn(marked(statement)),
    execute: (statement) => transaction.execute(marked(statement)),
    send: (statement) => transaction.send(marked(statement)),
  }
}

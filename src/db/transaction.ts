import { AsyncLocalStorage } from 'node:async_hooks'
import { type Sql, sql } from '../sql/fragment.ts'
import type { Queryable, QueryOptions, Row } from '../sql/queryable.ts'
import { begin } from './begin.ts'
import { ChangeSet, encodeChanges } from './cache/model-change.ts'
import { markUncacheable, noteStatement } from './cache/read-set.ts'
import { asArrays, asObjects, type Connection, type QueryResult, type RowFormat } from './connection.ts'
import type { Transaction } from './database.ts'
import { counted } from './query-groups.ts'

/** Marks the asynchronous flow of a transaction for as long as it is open. */
interface Flow {
  /** Identifies the database that the transaction belongs to. */
  readonly owner: object
  isOpen: boolean
}

/** Statements of a transaction find rows by ids: planning most of them again for their values takes longer than executing them. */
const PLAN_ONCE = sql`set local plan_cache_mode = force_generic_plan`

const flows = new AsyncLocalStorage<Flow>()

/**
 * Throws if the caller's flow already has an open transaction on the same database: a second one would not
 * see the changes of the first, and could wait for its locks forever.
 */
export function refuseInsideTransaction(owner: object): void {
  const flow = flows.getStore()
  if (flow?.isOpen && flow.owner === owner) {
    throw new Error('The database was asked inside a transaction; ask the transaction instead')
  }
}

/** Runs `work` between begin and commit, or rollback if it throws; `owner` identifies the database. */
export async function runTransaction<T>(
  owner: object,
  connection: Connection,
  announce: Announce,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  markUncacheable()
  const flow: Flow = { owner, isOpen: true }
  const pending: (() => void)[] = []
  const uncommitted = new ChangeSet()
  const sent: Promise<unknown>[] = []
  let result: T
  try {
    try {
      const { begun, connection: scoped } = begin(whileOpen(flow, connection))
      const transaction = openTransaction({
        ...{ connection: scoped, flow, pending, uncommitted, sent },
      })
      transaction.send(PLAN_ONCE)
      result = await flows.run(flow, () => withReason(sent, () => work(transaction)))
      await begun
    } finally {
      // Before the end is sent: otherwise statements of a part of the work that was not awaited would be executed after
      // the transaction, outside of it.
      flow.isOpen = false
    }
    const changes = uncommitted.all
    const announcement = changes.length > 0 ? announce(encodeChanges(changes)) : undefined
    await commit(connection, sent, announcement)
  } catch (error) {
    // The first error is reported; a lost connection has rolled back by itself.
    await connection.command('rollback').catch(() => undefined)
    throw error
  }
  for (const work of pending) work()
  return result
}

/** Commits, and sends the announcement with it: if that fails, nothing is committed. `sent`: statements whose results have not been awaited yet. */
async function commit(
  connection: Connection,
  sent: readonly Promise<unknown>[],
  announcement: Announcement | undefined,
): Promise<void> {
  let isCommitted = false
  try {
    const committing = sendCommit(connection, announcement?.statement)
    committing.catch(() => undefined)
    // If a statement that was sent fails, all later ones fail too; its own failure must be reported first.
    await Promise.all(sent)
    const tag = await committing
    // The server responds with this tag, without an error, if the error of a failed statement was caught and ignored.
    if (tag === 'ROLLBACK') {
      throw new Error('A statement failed inside the transaction and was ignored')
    }
    isCommitted = true
  } finally {
    announcement?.end(isCommitted)
  }
}

/** The tag of the commit. */
async function sendCommit(connection: Connection, statement: Sql | undefined): Promise<string> {
  if (!statement) return await connection.command('commit')
  const last = connection.run(statement.text, statement.values, 'arrays')
  const [, tag] = await Promise.all([last, connection.command('commit')])
  return tag
}

/** How other processes learn of a commit. */
interface Announcement {
  /** Sent with the commit. */
  readonly statement: Sql
  /** Called when the commit has been confirmed; `isCommitted` is also false if no confirmation arrived. */
  end(isCommitted: boolean): void
}

/** Announces these changes. */
export type Announce = (changes: readonly string[]) => Announcement

/** Runs `work`; if it fails because an earlier statement failed, throws the error of that statement. */
async function withReason<T>(sent: readonly Promise<unknown>[], work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await Promise.all(sent)
    throw error
  }
}

/** Runs `work` and waits for what it has sent. */
async function settled<T>(sent: Promise<unknown>[], work: () => Promise<T>): Promise<T> {
  const before = sent.length
  const result = await withReason(sent, work)
  await Promise.all(sent.splice(before))
  return result
}

interface Opening {
  readonly connection: Connection
  readonly flow: Flow
  readonly pending: (() => void)[]
  readonly uncommitted: ChangeSet
  /** Statements whose results have not been awaited yet. */
  readonly sent: Promise<unknown>[]
}

/** The connection, for as long as the transaction is open. Throws immediately after that. */
function whileOpen(flow: Flow, connection: Connection): Connection {
  const open = (): Connection => {
    if (!flow.isOpen) throw new Error('The transaction has ended')
    return connection
  }
  return {
    run: (...call) => open().run(...call),
    script: (text) => open().script(text),
    command: (text) => open().command(text),
    pipelineId: () => connection.pipelineId(),
  }
}

function openTransaction(opening: Opening): Transaction {
  const { connection, flow, pending, uncommitted, sent } = opening
  /** Its failure is reported when the statements that were sent are awaited. */
  const sendOff = (answer: Promise<unknown>): void => {
    answer.catch(() => undefined)
    sent.push(answer)
  }
  const queryable = queryableOver(connection, ({ statement }) => uncommitted.addStatement(statement))
  return {
    ...queryable,
    uncommitted,
    script: (text) => connection.script(text),
    isOpen: () => flow.isOpen,
    send: (statement) => sendOff(queryable.execute(statement)),
    afterCommit: (work) => {
      pending.push(work)
    },
    savepoint: async (work) => {
      const [before, unsettled] = [pending.length, sent.length]
      await connection.command('savepoint step')
      try {
        const result = await settled(sent, work)
        await connection.command('release savepoint step')
        return result
      } catch (error) {
        pending.length = before
        sent.length = unsettled
        // Names of savepoints shadow one another, so the innermost is meant.
        await connection.command('rollback to savepoint step')
        await connection.command('release savepoint step')
        throw error
      }
    },
  }
}

/** Runs `work` as a nested transaction, with a savepoint of the outer one. Its changes are collected separately. */
export const nestedTransaction = <T>(outer: Transaction, work: (transaction: Transaction) => Promise<T>): Promise<T> =>
  outer.savepoint(async () => {
    const uncommitted = new ChangeSet()
    const noted = (statement: Sql): Sql => {
      uncommitted.addStatement(statement.statement)
      return statement
    }
    let isOpen = true
    try {
      return await work({
        ...outer,
        uncommitted,
        isOpen: () => isOpen && outer.isOpen(),
        query: (statement) => outer.query(noted(statement)),
        queryArrays: (statement) => outer.queryArrays(noted(statement)),
        queryColumn: (statement) => outer.queryColumn(noted(statement)),
        execute: (statement) => outer.execute(noted(statement)),
        send: (statement) => outer.send(noted(statement)),
      })
    } finally {
      isOpen = false
    }
  })

/** The methods of a Queryable; `note` is called with each statement before it is sent. `runShort` sends short queries. */
export function queryableOver(
  connection: Pick<Connection, 'run'>,
  note?: (statement: Sql) => void,
  runShort: Connection['run'] = (...call) => connection.run(...call),
): Queryable {
  const run = (statement: Sql, format: RowFormat, { isShort }: QueryOptions = {}): Promise<QueryResult> => {
    noteStatement(statement)
    note?.(statement)
    const { text, values } = statement.statement
    return counted(isShort ? runShort(text, values, format) : connection.run(text, values, format))
  }
  return {
    query: async <T extends Row = Row>(statement: Sql, options?: QueryOptions) =>
      asObjects<T>(await run(statement, 'objects', options)),
    queryArrays: async (statement, options) => asArrays(await run(statement, 'arrays', options)),
    queryColumn: async (statement, options) => (await run(statement, 'column', options)).rows,
    execute: async (statement) => (await run(statement, 'arrays')).count,
  }
}

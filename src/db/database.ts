import type { Sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import type { UncommittedChanges } from './cache/model-change.ts'
import type { Replicas } from './replicas.ts'

/** Work that takes effect completely or not at all. Unusable after its end: every method then throws. */
export interface Transaction extends Queryable {
  /** Changes of its statements so far. */
  readonly uncommitted: UncommittedChanges
  /** False as soon as the commit, or the rollback, has been sent. */
  isOpen(): boolean
  /** Sends a statement without waiting for its result: if it fails, the transaction or the savepoint fails. */
  send(statement: Sql): void
  /** Runs after the commit, in the order of the calls; never after a rollback. */
  afterCommit(work: () => void): void
  /** Undoes the changes of `work` if it throws; the rest of the transaction stays. Can be nested, not used in parallel. */
  savepoint<T>(work: () => Promise<T>): Promise<T>
  /** Several statements without parameters, for migrations only. */
  script(text: string): Promise<void>
}

/** Subscriber to the changes of other processes, such as the log of the cache. */
export interface ChangeListener {
  /** Another process has committed these changes (`encodeChanges`). */
  invalidate(changes: Iterable<string>): void
  /** From now on, changes may be missed. */
  suspend(): void
  /** Changes are reported again. */
  resume(): void
}

/** The other processes of this program, if there are any. */
export interface OtherProcesses {
  /**
   * Resolves when no other process caches anything that these changes made stale (`encodeChanges`). To be called after
   * the commit.
   */
  invalidate(changes: Iterable<string>): Promise<void>
  /** The listener receives the invalidations from the other processes. */
  subscribe(listener: Pick<ChangeListener, 'invalidate'>): void
}

/** For a process that runs alone. */
export const NO_OTHER_PROCESSES: OtherProcesses = {
  invalidate: async () => undefined,
  subscribe: () => undefined,
}

/** State of the connection pool. */
export interface Connections {
  readonly open: number
  readonly idle: number
  /** Queries that wait for a connection. */
  readonly waiting: number
}

/** Why a database does not accept writes. */
export interface WriteProblem {
  /** `readOnly`: reads are served as usual, and the server decides when it accepts writes. */
  readonly kind: 'readOnly' | 'storageFull'
  /** One sentence. */
  readonly detail: string
}

/**
 * The only access to the data. Throws ConstraintViolation, StatementFailed, and ApiError with the reason `unavailable`
 * while the server cannot be reached; the next call tries again.
 */
export interface Database extends Queryable {
  /** Read committed. Commits when `work` resolves, rolls back when it throws. Nothing is retried. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>
  /**
   * As `transaction`, but always rolls back. No change is reported, so `work` must not cache anything that it reads of
   * its own changes. Returns the result of `work`.
   */
  rollBack<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>
  /** Several statements without parameters, for migrations only. */
  script(text: string): Promise<void>
  /** Current connections to the server. */
  connections(): Connections
  /** Standbys that serve reads; absent if there are none. */
  readonly replicas?: Replicas
  /** Runs read-only work whose statements replicas may answer; absent if there are none. */
  readingReplicas?<T>(work: () => Promise<T>): Promise<T>
  /** Why writes currently fail; undefined if they do not, or if that is unknown. */
  writeProblem(): WriteProblem | undefined
  /** Resolves as soon as the server accepts writes. */
  writable(): Promise<void>
  /** Starts to pass on changes of other processes, until the database is closed. */
  subscribe(listener: ChangeListener): Promise<void>
  /**
   * Uses new connections from now on: after a change of the tables, statements that are prepared on the earlier ones
   * fail.
   */
  reconnect?(): void
  /** Waits for running work, then releases connections and the data directory. */
  close(): Promise<void>
}

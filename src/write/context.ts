import type { Transaction } from '../db/database.ts'
import type { User } from '../identity/actor.ts'
import type { RowSecurity } from '../read/query/row-security.ts'
import type { Writer } from '../schema/rule.ts'
import type { Service } from '../service.ts'
import type { Queryable } from '../sql/queryable.ts'
import type { Assumptions } from './assumptions.ts'
import type { DryRun } from './dry-run/dry-run.ts'
import type { WouldChange } from './dry-run/would-change.ts'
import type { RequestDefaults } from './empty-row.ts'
import type { TransactionFiles } from './media/transaction-files.ts'
import type { FoundIds } from './parse/found-ids.ts'
import type { Journal } from './record/journal.ts'

/** Method and path of an HTTP request, as events name them. */
interface RequestOrigin {
  readonly method: string
  readonly path: string
  /** The last value of each parameter; absent if there are none. */
  readonly GET?: Readonly<Record<string, string>>
}

/** A write whose response is stored with it, so that a repeated request gets it again. */
export interface IdempotentWrite {
  /** Called at the start of the transaction: throws if the request has already been carried out. */
  claim(transaction: Queryable): Promise<void>
  /** Called at the end with the response. */
  record(transaction: Queryable, response: unknown): Promise<void>
}

/** The user and the request of a write. */
export interface WriteRequest {
  /** The author of the change records; id 0 is the service itself. */
  readonly actor: User
  /** UUID of the request, shared by its change records. */
  readonly requestId: string
  /** The HTTP request that writes; undefined for writes of the service itself. */
  readonly origin?: RequestOrigin | undefined
  /**
   * Receives the changes that the write would make; the write is then rolled back. Undefined for a write that is
   * stored.
   */
  readonly dryRun?: DryRun | undefined
  /** Whether the approvals required by policies have been checked. */
  readonly isApproved?: boolean
  /** Stores the response with the write. */
  readonly idempotentWrite?: IdempotentWrite | undefined
}

/** Work at the end of a transaction, over everything that its effects have collected. */
interface Ending {
  readonly parts: (readonly unknown[])[]
  readonly work: (items: readonly never[]) => Promise<void>
}

/** State that all stages of a write share; one per transaction, created by `runWrite`. */
export interface WriteContext extends WriteRequest {
  readonly service: Service
  readonly transaction: Transaction
  /** Row-level security of the writing user: hidden rows must not be referred to or named in messages. */
  readonly security: RowSecurity
  /** Undefined for a write that checks everything before it saves. */
  readonly assumptions: Assumptions | undefined
  /** Timestamp of the request, ISO 8601 UTC with microseconds, the same for all its writes. */
  readonly now: string
  /** Ids of related objects that have been found by attributes. */
  readonly found: FoundIds
  /** The changes of a dry run so far; undefined for a write that is stored. */
  readonly wouldChange: WouldChange | undefined
  /** Files that are stored before the transaction, and those that are removed after it. */
  readonly media: TransactionFiles
  /** What the write has done so far, for change records and events. */
  readonly journal: Journal
  /** What effects compute at the end of the transaction, by name. */
  readonly endings: Map<string, Ending>
  /** Creates the writer for effects. Passed along because saving runs effects, and effects save. */
  readonly makeWriter: (context: WriteContext) => Writer
}

/** Values of `defaultFrom` in the request. */
export const requestDefaults = ({ now, actor }: WriteContext): RequestDefaults => ({
  now,
  user: actor.id === 0 ? null : actor.id,
})

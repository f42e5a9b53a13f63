import type { User } from '../auth/actor.ts'
import type { Projection } from '../output/projection.ts'
import type { RowSecurity } from '../query/row-security.ts'
import type { Writer } from '../schema/rule.ts'
import type { Service } from '../service.ts'
import type { Transaction } from '../storage/database.ts'
import type { Assumptions } from './assumptions.ts'
import type { RequestDefaults } from './empty-row.ts'
import type { ChangeEvent } from './events.ts'
import type { InsertedRows } from './inserted.ts'
import type { MediaChanges } from './media.ts'

/** Who asks for a write, and in which request. */
export interface WriteRequest {
  /** The user whose name the change records carry; id 0 stands for the service itself. */
  readonly actor: User
  /** UUID that ties the change records of one request together. */
  readonly requestId: string
  /** How the answer shows what is created; absent where nobody looks. */
  readonly shows?: Pick<Projection, 'model' | 'select'>
}

/** What every stage of a write works with; one for each transaction, made by `runWrite`. */
export interface WriteContext extends WriteRequest {
  readonly service: Service
  readonly transaction: Transaction
  /** What of the inventory the user who writes may see: nothing else may be named, or told of. */
  readonly security: RowSecurity
  /** Absent where the write looks at everything before it saves. */
  readonly assumptions: Assumptions | undefined
  /** Moment of the request, ISO 8601 UTC with microseconds: one reading for all that it writes. */
  readonly now: string
  /** Names of the models whose tables were changed, for the memory. */
  readonly touched: Set<string>
  /** Rows that the last insert into a model's table brought with nothing that stands in other tables, by model. */
  readonly inserted: Map<string, InsertedRows>
  /** Files to be removed after commit or after rollback. */
  readonly media: MediaChanges
  /** Number of change records made so far; keeps their moments apart. */
  readonly recorded: { count: number }
  /** What event rules are to hear of, by model and id. */
  readonly events: Map<string, ChangeEvent>
  /** Writes for effects. Handed along because saving runs effects, and effects save. */
  readonly makeWriter: (context: WriteContext) => Writer
}

/** What `defaultFrom` stands for in the request. */
export const requestDefaults = ({ now, actor }: WriteContext): RequestDefaults => ({
  now,
  user: actor.id === 0 ? null : actor.id,
})

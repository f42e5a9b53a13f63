import type { Actor } from '../../identity/actor.ts'
import type { Service } from '../../service.ts'
import { Turns } from '../background/turns.ts'
import { type EventBatch, type EventQuery, readEvents } from './read-events.ts'

/** A client that reads the stream. */
export interface StreamReader {
  readonly service: Service
  readonly query: EventQuery
  /** The actor as of now: its token may have been revoked, or its permissions changed. Throws `unauthenticated`. */
  readonly actor: () => Promise<Actor>
}

/**
 * Maximum number of simultaneous reads. Each event wakes all waiting clients, which must not occupy all connections to
 * the database.
 */
const turns = new Turns(3)

/**
 * Milliseconds without an event after which a waiting client's token and user are checked again, and a stream sends a
 * heartbeat to show that the connection works.
 */
export const RECHECK_INTERVAL = 15_000

/** The next events after the position. Throws `unauthenticated` and `forbidden` for a reader who may no longer read. */
export const readNext = ({ service, query, actor }: StreamReader, position: number): Promise<EventBatch> =>
  turns.take(async () => await readEvents(service, await actor(), query, position))

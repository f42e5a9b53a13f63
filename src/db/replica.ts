import type { Sql } from '../sql/fragment.ts'
import { volatile } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { parsePosition, type ServerPosition } from './required-positions.ts'
import { type Lease, SessionPool, type SessionPoolOptions } from './session-pool.ts'
import { sessionQueries } from './session-queries.ts'

/** State of one replica, for metrics. */
export interface ReplicaState {
  /** Host and port. */
  readonly server: string
  /** Whether it serves reads. */
  readonly isUsed: boolean
  /** Bytes of the log that the primary has written and the replica has not replayed; undefined if that is not known. */
  readonly lag: number | undefined
  /** Statements that it has executed. */
  readonly answered: number
}

/** Milliseconds after which a replica that does not respond counts as unavailable. */
const TIMEOUT = 3_000
/** Milliseconds between two readings of the position while reads wait for it to grow. */
const SHORTEST_INTERVAL = 2

// Roles without pg_read_all_stats cannot see the received timeline; that of the last checkpoint follows within
// `checkpoint_timeout`.
const POSITION = volatile`
  select pg_is_in_recovery(), pg_last_wal_replay_lsn()::text,
    greatest((select received_tli from pg_stat_wal_receiver), (select timeline_id from pg_control_checkpoint()))`

/** A standby that serves reads. Its position on a timeline only grows, so a reading stays true as a lower bound. */
export class Replica {
  readonly server: string
  readonly queryable: Queryable
  readonly #pool: SessionPool
  /** A separate connection for the position, since all others may be busy. */
  readonly #monitor: SessionPool
  #replayed: ServerPosition | undefined
  #isLate = false
  #reading: Promise<void> | undefined
  #lastRead = 0
  #answered = 0

  constructor(options: SessionPoolOptions) {
    this.server = new URL(options.url).host
    this.#pool = new SessionPool(options)
    this.#monitor = new SessionPool({ ...options, poolSize: 1 })
    this.queryable = sessionQueries((work) =>
      withLease(this.#pool, async ({ session }) => {
        const result = await work(session)
        this.#answered += 1
        return result
      }),
    )
  }

  /** Whether it has replayed the log up to that position. If not, its position is read again for future reads. */
  hasReplayed(required: ServerPosition): boolean {
    if (this.#replayed === undefined || this.#isLate) return false
    if (hasReached(this.#replayed, required)) return true
    if (performance.now() - this.#lastRead >= SHORTEST_INTERVAL) void this.refresh()
    return false
  }

  /** Reads its position; a server that does not respond, or is not a standby, is unavailable until the next attempt. */
  async refresh(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
      this.#lastRead = performance.now()
    })
    await this.#reading
  }

  /** To be called when the replica fails: it is used again once it responds. */
  leaveOut(): void {
    this.#replayed = undefined
  }

  /** Leaves it out until it has replayed what it should have. */
  requireAtLeast(required: ServerPosition): void {
    this.#isLate = this.#replayed !== undefined && !hasReached(this.#replayed, required)
  }

  /** `primary`: the position of the primary. */
  stateAt(primary: ServerPosition | undefined): ReplicaState {
    const replayed = this.#replayed
    const isOnTimeline = replayed !== undefined && replayed.timeline === primary?.timeline
    return {
      server: this.server,
      isUsed: isOnTimeline && !this.#isLate,
      lag: isOnTimeline ? Math.max(0, primary.position - replayed.position) : undefined,
      answered: this.#answered,
    }
  }

  get connections(): SessionPool['connections'] {
    return this.#pool.connections
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.close(), this.#monitor.close()])
  }

  async #read(): Promise<void> {
    const timer = setTimeout(() => {
      this.leaveOut()
      // Statements that wait for it go to the primary.
      for (const pool of [this.#pool, this.#monitor]) pool.abandon()
    }, TIMEOUT).unref()
    try {
      this.#replayed = await this.#readPosition(POSITION)
    } catch {
      this.leaveOut()
    } finally {
      clearTimeout(timer)
    }
  }

  async #readPosition({ text, values }: Sql): Promise<ServerPosition | undefined> {
    const { rows } = await withLease(this.#monitor, ({ session }) => session.run(text, values, 'arrays'))
    const [[isStandby, position, timeline] = []] = rows as readonly (readonly unknown[])[] // arrays were requested
    if (isStandby !== true || typeof position !== 'string') return undefined
    return { timeline: Number(timeline), position: parsePosition(position) }
  }
}

/** A server that follows an abandoned timeline may be ahead of the promoted one, and has other rows. */
const hasReached = (replayed: ServerPosition, required: ServerPosition): boolean =>
  replayed.timeline === required.timeline && replayed.position >= required.position

async function withLease<T>(pool: SessionPool, work: (lease: Lease) => Promise<T>): Promise<T> {
  const lease = await pool.acquire()
  try {
    return await work(lease)
  } finally {
    lease.release()
  }
}

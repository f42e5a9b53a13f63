import type { ChangeLog } from './cache/change-log.ts'
import type { Connections } from './database.ts'
import { MAX_STALENESS } from './listening-connection.ts'
import { Replica, type ReplicaState } from './replica.ts'
import { RequiredPositions, type ServerPosition } from './required-positions.ts'
import type { SessionPoolOptions } from './session-pool.ts'

/** Milliseconds between two checks of all replicas. */
const INTERVAL = 1_000

/** A position that the primary had reached at a certain time. */
interface Sample {
  readonly time: number
  readonly reached: ServerPosition
}

interface ReplicasOptions extends Omit<SessionPoolOptions, 'url'> {
  readonly urls: readonly string[]
  /** Position that the primary has reached. */
  readonly readPosition: () => Promise<ServerPosition>
  /**
   * Called when the primary is on a different timeline than before: all positions, and all cached data, may belong to
   * an abandoned timeline.
   */
  readonly onTimelineChange: () => void
  readonly warn: (sentence: string) => void
}

/**
 * The standbys that may serve reads. A replica that does not respond, is on another timeline than the primary, or lags
 * behind it by more than MAX_STALENESS is left out and returns by itself.
 */
export class Replicas {
  readonly required: RequiredPositions
  readonly #replicas: readonly Replica[]
  readonly #options: ReplicasOptions
  readonly #leftOut = new Set<string>()
  #samples: readonly Sample[] = []
  #timer: NodeJS.Timeout | undefined
  #next = 0
  /** Timeline of the primary; undefined while it is not known. */
  #timeline: number | undefined
  #isClosed = false

  constructor(options: ReplicasOptions) {
    this.#options = options
    this.required = new RequiredPositions(async () => (await this.#readPosition()).position)
    this.#replicas = options.urls.map((url) => new Replica({ ...options, url }))
  }

  /** Starts to watch the replicas, and the changes that they must have. */
  async follow(log: Pick<ChangeLog, 'watchAll'>): Promise<void> {
    this.required.follow(log)
    await this.#look()
  }

  /** A replica that has replayed all changes of these models that are known; undefined if there is none. */
  find(models: readonly string[]): Replica | undefined {
    for (let tried = 0; tried < this.#replicas.length; tried++) {
      const replica = this.#replicas[this.#next++ % this.#replicas.length]
      if (replica && this.mayServe(replica, models)) return replica
    }
    return undefined
  }

  mayServe(replica: Replica, models: readonly string[]): boolean {
    const position = this.required.behind(models)
    const timeline = this.#timeline
    return position !== undefined && timeline !== undefined && replica.hasReplayed({ timeline, position })
  }

  get states(): readonly ReplicaState[] {
    const reached = this.#samples.at(-1)?.reached
    return this.#replicas.map((replica) => replica.stateAt(reached))
  }

  get connections(): readonly Connections[] {
    return this.#replicas.map(({ connections }) => connections)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.required.close()
    await Promise.all(this.#replicas.map((replica) => replica.close()))
  }

  async #look(): Promise<void> {
    const [reached] = await Promise.all([
      this.#readPosition().catch(() => undefined),
      ...this.#replicas.map((replica) => replica.refresh()),
    ])
    this.#checkLag(reached)
    this.#report()
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.#look(), INTERVAL).unref()
  }

  async #readPosition(): Promise<ServerPosition> {
    const reached = await this.#options.readPosition()
    const { timeline } = reached
    const isChange = this.#timeline !== undefined && this.#timeline !== timeline
    this.#timeline = timeline
    if (isChange) {
      this.#samples = []
      this.#options.onTimelineChange()
    }
    return reached
  }

  #checkLag(reached: ServerPosition | undefined): void {
    const now = performance.now()
    const samples = reached === undefined ? this.#samples : [...this.#samples, { time: now, reached }]
    const isOld = ({ time }: Sample) => now - time >= MAX_STALENESS
    const due = samples.findLast(isOld)
    this.#samples = samples.filter((sample) => sample === due || !isOld(sample))
    if (!due) return
    for (const replica of this.#replicas) replica.requireAtLeast(due.reached)
  }

  #report(): void {
    for (const { server, isUsed } of this.states) {
      if (isUsed !== this.#leftOut.has(server)) continue
      if (isUsed) this.#leftOut.delete(server)
      else this.#leftOut.add(server)
      this.#options.warn(isUsed ? `The replica ${server} serves reads again.` : leftOutText(server))
    }
  }
}

const leftOutText = (server: string): string =>
  `The replica ${server} is not used: it does not respond, is not a standby, lags behind the primary, or is on another timeline.`

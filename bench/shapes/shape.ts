import type { Dataset } from '../dataset.ts'
import type { Fixtures } from '../fixtures.ts'

/** A request that is sent repeatedly, over one connection and over several. */
export interface ReadShape {
  readonly name: string
  readonly method?: 'GET' | 'OPTIONS'
  /** Undefined where the data set lacks the objects. */
  readonly path: (dataset: Dataset) => string | undefined
  /** Name of the same request in the reference's table. */
  readonly reference?: string
  /** Also measured by `--growth`. */
  readonly grows?: true
  /** Also measured as of a time before the last changes. */
  readonly hasPast?: true
}

/** Name of the row for the request as of a time in the past. */
export const pastName = (name: string): string => `${name}, as of`

/** Name of the row for the dry run of a write. */
export const dryRunName = (name: string): string => `${name}, dry run`

/** State of one turn of a cycle. */
export interface Turn {
  readonly fixtures: Fixtures
  /** Unique among all turns. */
  readonly number: number
  /** Ids of the objects that the turn has created so far. */
  readonly created: readonly number[]
}

export interface WriteStep {
  readonly name: string
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  /** Path without the id of a single object, which is appended. */
  readonly path: string
  readonly body?: (turn: Turn) => unknown
  /** The request goes to the address of the only object that was created. */
  readonly single?: true
  /** Number of requests of this kind in one turn, each with a body of its own. */
  readonly times?: number
  readonly reference?: string
  /** The request changes nothing: the service carries it out and rolls back. */
  readonly isDryRun?: true
  /** The request is only sent for the steps after it. */
  readonly isUnmeasured?: true
}

/** Whether a cycle has measured steps whose names are wanted. */
export const isCycleWanted = (
  { steps }: WriteCycle,
  isWanted: (name: string) => boolean,
): boolean => steps.some(({ name, isUnmeasured }) => !isUnmeasured && isWanted(name))

/** Requests that belong together: the first creates objects, the others change and remove them. */
export interface WriteCycle {
  readonly steps: readonly WriteStep[]
  /** Number of measured turns, however long they take. */
  readonly turns: number
  /** Number of turns before the measurement, so that it shows a warm service. */
  readonly warmUp: number
  /**
   * Each turn is about one object. All are created, then all are changed, and so on, by the client that measures reads: Node's own takes
   * ten times as long, which shows in requests as short as these.
   */
  readonly isSingle?: true
  /** Turns about one object that run over several connections too, as reads do; all others run over one. */
  readonly isParallel?: true
}

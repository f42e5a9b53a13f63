import type { Dataset } from '../dataset.ts'
import type { Fixtures } from '../fixtures.ts'

/** A request that is sent over and over again, over one connection and over several. */
export interface ReadShape {
  readonly name: string
  readonly method?: 'GET' | 'OPTIONS'
  /** Undefined where the data set has nothing to ask for. */
  readonly path: (dataset: Dataset) => string | undefined
  /** The row of the reference's table that is the same request. */
  readonly reference?: string
  /** Also measured by `--growth`. */
  readonly grows?: true
}

/** Numbers a request of a cycle. */
export interface Turn {
  readonly fixtures: Fixtures
  /** Unlike for all turns that run at a time or one after the other. */
  readonly number: number
  /** Ids of what the turn has created until now. */
  readonly created: readonly number[]
}

export interface WriteStep {
  readonly name: string
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  /** Without the id of a single object, which is put behind. */
  readonly path: string
  readonly body?: (turn: Turn) => unknown
  /** To the only object that was created, by its own address. */
  readonly single?: true
  /** Requests of this kind in one turn, each with a body of its own. */
  readonly times?: number
  readonly reference?: string
}

/** Requests that belong together: what the first creates, the others change and remove. */
export interface WriteCycle {
  readonly steps: readonly WriteStep[]
  /** Turns that are measured, however long they take. */
  readonly turns: number
  /** Turns before them, so that what is measured is what a service does all day, not what it does first. */
  readonly warmUp: number
  /** Several at a time, as reads are; else one turn after the other. */
  readonly isParallel?: true
}

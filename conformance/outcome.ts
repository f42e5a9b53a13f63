import type { Difference } from './difference.ts'

/** The parts that a run consists of. */
export const PARTS = ['filters', 'bodies', 'scenarios', 'dataset', 'openapi'] as const
export type Part = (typeof PARTS)[number]

/**
 * What became of one case: a list request, a request with its body, a scenario's step, an object, a promise of
 * the OpenAPI document. */
export interface Outcome {
  readonly part: Part
  /** Unique in its part: a path, `METHOD path`, `scenario step N`, `app/endpoint id`, `openapi METHOD path …`. */
  readonly id: string
  readonly resource: string
  readonly kind: string
  /** The cause's first words, which say where it was seen: `filter dcim/sites name__ic`. */
  readonly context: string
  /** Empty when the case passed. */
  readonly differences: readonly Difference[]
  /** For a body that passed: whether its fields came in the recorded order too. */
  readonly sameFieldOrder?: boolean
  /** For a step: its scenario. */
  readonly scenario?: string
}

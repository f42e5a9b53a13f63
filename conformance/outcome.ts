import type { Difference } from './difference.ts'

/** The parts of a run. */
export const PARTS = [
  'filters',
  'bodies',
  'scenarios',
  'webhooks',
  'dataset',
  'openapi',
  'data-sources',
  'scripts',
  'graphql',
  'imports',
  'search',
] as const
export type Part = (typeof PARTS)[number]

/**
 * Outcome of one case: a list request, a request with its body, a GraphQL query, a search, a step of a scenario, an object, an element of the
 * OpenAPI document.
 */
export interface Outcome {
  readonly part: Part
  /** Unique in its part: a path, `METHOD path`, `scenario step N`, `app/endpoint id`, `openapi METHOD path …`. */
  readonly id: string
  readonly resource: string
  readonly kind: string
  /** The start of the cause's text: `filter dcim/sites name__ic`. */
  readonly context: string
  /** Empty if the case passed. */
  readonly differences: readonly Difference[]
  /** For a passed body: whether its fields were also in the recorded order. */
  readonly sameFieldOrder?: boolean
  /** For a step of a scenario: its scenario. */
  readonly scenario?: string
}

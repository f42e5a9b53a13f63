/** Target of a metric: at least, at most, less than, or none. */
export type Wanted =
  | { readonly least: number }
  | { readonly most: number }
  | { readonly below: number }
  /** The metric is shown without a target. */
  | undefined

/** Whether the number meets the target; undefined without a target. */
export function isMet(wanted: Wanted, reached: number): boolean | undefined {
  if (wanted === undefined) return undefined
  if ('least' in wanted) return reached >= wanted.least
  return 'most' in wanted ? reached <= wanted.most : reached < wanted.below
}

/** A target, and the value that was reached. */
export interface Verdict<T> {
  readonly sentence: string
  readonly wanted: Wanted
  readonly unit: 'times' | 'share' | 'ms' | 'MB'
  readonly reached: T
}

/** What is wanted: at least, at most, less than, or nothing in particular. */
export type Wanted =
  | { readonly least: number }
  | { readonly most: number }
  | { readonly below: number }
  /** The figure is shown, but none is asked for. */
  | undefined

/** The number keeps to what is wanted; undefined where nothing is. */
export function isMet(wanted: Wanted, reached: number): boolean | undefined {
  if (wanted === undefined) return undefined
  if ('least' in wanted) return reached >= wanted.least
  return 'most' in wanted ? reached <= wanted.most : reached < wanted.below
}

/** A bar and what was reached. */
export interface Verdict<T> {
  readonly sentence: string
  readonly wanted: Wanted
  readonly unit: 'times' | 'share' | 'ms' | 'MB'
  readonly reached: T
}

import { oncePerText } from '../../schema/once-per.ts'

/**
 * For each context, by its position, whether an object fulfils some of its conditions. Equal values are represented by
 * the same object.
 */
export type Matches = readonly boolean[]

/** Every context matches, which is frequent: most have only one or two conditions. */
const EVERY: Matches = []

/**
 * Maximum number of different values per set of contexts: usually at most two per context, and for each value of a
 * condition.
 */
const MOST_MATCHES = 10_000

const oneOfEqual = oncePerText(MOST_MATCHES, (_contexts: object, _text, matches: Matches): Matches => matches)

/** The single object that represents these matches of the contexts. */
export const matchesOnce = (contexts: object, matches: Matches): Matches =>
  matches.includes(false) ? oneOfEqual(contexts, matches.join(), matches) : EVERY

/** Maximum number of combinations, per set of contexts, that are found without comparing again. */
const MOST_COMBINATIONS = 2_000

/** Contexts that match an object, after part of the comparison. Objects with equal values share it. */
export class MatchingContexts {
  /** Positions of the contexts, ascending. */
  readonly places: readonly number[]
  readonly #combinations: { count: number }
  readonly #narrowed = new Map<Matches, MatchingContexts>()

  constructor(places: readonly number[], combinations = { count: 0 }) {
    this.places = places
    this.#combinations = combinations
  }

  /** Those of the contexts that also match by the other conditions. */
  narrowedBy(matches: Matches): MatchingContexts {
    if (matches === EVERY) return this
    const cached = this.#narrowed.get(matches)
    if (cached) return cached
    const places = this.places.filter((place) => matches[place])
    const narrowed = new MatchingContexts(places, this.#combinations)
    if (this.#combinations.count < MOST_COMBINATIONS) {
      this.#combinations.count += 1
      this.#narrowed.set(matches, narrowed)
    }
    return narrowed
  }
}

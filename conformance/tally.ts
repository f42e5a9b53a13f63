import { explanation, type KnownDifference, rowsFor } from './known-differences.ts'
import type { Outcome, Part } from './outcome.ts'

/** Numbers of passed and failed cases, and of known differences. */
export interface Count {
  passed: number
  failed: number
  known: number
}

/** A case's outcome with its verdict. */
export interface Judged {
  readonly outcome: Outcome
  readonly verdict: keyof Count
  /** The rows of conformance/differences.md that explain a known difference. */
  readonly knownAs: readonly string[]
}

/** All cases that failed for one reason. */
export interface Cause {
  readonly part: Part
  readonly text: string
  readonly cases: readonly Outcome[]
}

/**
 * Judges every outcome. A known difference does not count as passed, and a passed case is never a known difference.
 */
export function judge(outcomes: readonly Outcome[], known: readonly KnownDifference[]): Judged[] {
  return outcomes.map((outcome) => {
    if (outcome.differences.length === 0) return { outcome, verdict: 'passed', knownAs: [] }
    const rows = explanation(outcome, known)
    return {
      outcome,
      verdict: rows.length > 0 ? 'known' : 'failed',
      knownAs: rows.map(({ id }) => id),
    }
  })
}

/** Counts by a property of the cases, in the order of its first occurrences. */
export function countBy(judged: readonly Judged[], key: (outcome: Outcome) => string): Map<string, Count> {
  const counts = new Map<string, Count>()
  for (const { outcome, verdict } of judged) {
    const name = key(outcome)
    const count = counts.get(name) ?? { passed: 0, failed: 0, known: 0 }
    count[verdict]++
    counts.set(name, count)
  }
  return counts
}

/** The sum over all cases. */
export function total(judged: readonly Judged[]): Count {
  return countBy(judged, () => 'all').get('all') ?? { passed: 0, failed: 0, known: 0 }
}

/** Passed cases divided by all, including known differences; 0 without cases. */
export function ratio({ passed, failed, known }: Count): number {
  const all = passed + failed + known
  return all === 0 ? 0 : passed / all
}

/** Failed cases grouped by cause, the most frequent first. A case with two causes is in two groups. */
export function causesOf(judged: readonly Judged[]): Cause[] {
  const groups = new Map<string, { part: Part; text: string; cases: Outcome[] }>()
  for (const { outcome, verdict } of judged) {
    if (verdict !== 'failed') continue
    for (const { cause } of outcome.differences) {
      const text = `${outcome.context}: ${cause}`
      const group = groups.get(text) ?? { part: outcome.part, text, cases: [] }
      if (group.cases.at(-1) !== outcome) group.cases.push(outcome)
      groups.set(text, group)
    }
  }
  return [...groups.values()].sort((a, b) => b.cases.length - a.cases.length)
}

/** Rows that apply only to passed cases of this run: their differences are gone. */
export function staleRows(judged: readonly Judged[], known: readonly KnownDifference[]): KnownDifference[] {
  const met = new Set<string>()
  const needed = new Set<string>()
  for (const { outcome, verdict } of judged) {
    for (const { id } of rowsFor(outcome, known)) (verdict === 'passed' ? met : needed).add(id)
  }
  return known.filter(({ id }) => met.has(id) && !needed.has(id))
}

/** Scenarios whose steps all passed, and those with a failed step; the others have known differences only. */
export function countScenarios(judged: readonly Judged[]): Count {
  const worst = new Map<string, keyof Count>()
  for (const { outcome, verdict } of judged) {
    if (outcome.scenario === undefined) continue
    const before = worst.get(outcome.scenario)
    const isWorse = before === undefined || verdict === 'failed' || (verdict === 'known' && before === 'passed')
    if (isWorse) worst.set(outcome.scenario, verdict)
  }
  const count: Count = { passed: 0, failed: 0, known: 0 }
  for (const verdict of worst.values()) count[verdict]++
  return count
}

/** Number of passed bodies with their fields in the recorded order. */
export function countFieldOrder(judged: readonly Judged[]): { same: number; other: number } {
  const order = { same: 0, other: 0 }
  for (const { outcome } of judged) {
    if (outcome.sameFieldOrder === true) order.same++
    if (outcome.sameFieldOrder === false) order.other++
  }
  return order
}

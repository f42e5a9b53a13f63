import { writeFileSync } from 'node:fs'
import type { Outcome } from './outcome.ts'
import { causesOf, countBy, type Judged, ratio, total } from './tally.ts'

/**
 * Writes every failed case and every known difference with its differences, and the counts, as one JSON document.
 */
export function writeJsonReport(path: string, judged: readonly Judged[], stale: readonly string[]): void {
  const of = (verdict: Judged['verdict']) => judged.filter((case_) => case_.verdict === verdict)
  const counts = (key: (outcome: Outcome) => string) => Object.fromEntries(countBy(judged, key))
  const document = {
    total: { ...total(judged), ratio: ratio(total(judged)) },
    parts: counts(({ part }) => part),
    kinds: counts(({ part, kind }) => `${part} ${kind}`),
    resources: counts(({ part, resource }) => `${part} ${resource}`),
    causes: causesOf(judged).map(({ part, text, cases }) => ({
      part,
      cause: text,
      cases: cases.length,
      example: cases[0]?.id,
    })),
    failures: of('failed').map(({ outcome }) => brief(outcome)),
    known: of('known').map(({ outcome, knownAs }) => ({ ...brief(outcome), knownAs })),
    otherFieldOrder: judged.filter(({ outcome }) => outcome.sameFieldOrder === false).map(({ outcome }) => outcome.id),
    stale,
  }
  writeFileSync(path, `${JSON.stringify(document, null, 1)}\n`)
}

const brief = ({ part, id, resource, kind, differences }: Outcome) => ({
  part,
  id,
  resource,
  kind,
  differences,
})

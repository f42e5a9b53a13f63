import { type ByCacheMode, CACHE_MODE_LABELS, CACHE_MODES } from '../cache-mode.ts'
import { isMet, type Verdict, type Wanted } from '../targets/target.ts'
import { figure, markdownTable, percent } from './number-format.ts'

type Unit = Verdict<unknown>['unit']

const SHOWN: Readonly<Record<Unit, (value: number) => string>> = {
  times: figure,
  share: percent,
  ms: (value) => `${figure(value)} ms`,
  MB: (value) => `${figure(value)} MB`,
}

/** Table of targets whose metrics exist once per mode. */
export function wayVerdictTable(verdicts: readonly Verdict<ByCacheMode<number>>[]): string {
  const modes = CACHE_MODES.filter((mode) =>
    verdicts.some(({ reached }) => reached[mode] !== undefined),
  )
  return markdownTable(
    ['metric', 'target', ...modes.map((mode) => CACHE_MODE_LABELS[mode])],
    verdicts.map(({ sentence, wanted, unit, reached }) => [
      sentence,
      wantedCell(wanted, unit),
      ...modes.map((mode) => reachedCell(wanted, unit, reached[mode])),
    ]),
  )
}

/** Table of targets whose metrics exist once per run. */
export const runVerdictTable = (verdicts: readonly Verdict<number>[]): string =>
  markdownTable(
    ['metric', 'target', 'measured'],
    verdicts.map(({ sentence, wanted, unit, reached }) => [
      sentence,
      wantedCell(wanted, unit),
      reachedCell(wanted, unit, reached),
    ]),
  )

function wantedCell(wanted: Wanted, unit: Unit): string {
  if (wanted === undefined) return ''
  if ('least' in wanted) return `≥ ${SHOWN[unit](wanted.least)}`
  return 'most' in wanted ? `≤ ${SHOWN[unit](wanted.most)}` : `< ${SHOWN[unit](wanted.below)}`
}

function reachedCell(wanted: Wanted, unit: Unit, reached: number | undefined): string {
  if (reached === undefined) return ''
  const met = isMet(wanted, reached)
  if (met === undefined) return SHOWN[unit](reached)
  return `${SHOWN[unit](reached)} ${met ? '✓' : '✗'}`
}

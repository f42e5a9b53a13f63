import { type Outcome, PARTS, type Part } from './outcome.ts'
import {
  type Cause,
  type Count,
  causesOf,
  countBy,
  countFieldOrder,
  countScenarios,
  type Judged,
  ratio,
  total,
} from './tally.ts'

/** Options of a report. */
export interface ReportOptions {
  /** Only totals, without lines per resource and causes. */
  readonly summary: boolean
  /** Maximum number of listed causes. */
  readonly causes: number
  /** Excluded cases by part. */
  readonly leftOut: ReadonlyMap<Part, number>
}

const EXAMPLES = 3
const RESOURCES = 6

const number = (value: number): string => value.toLocaleString('en')

/** A percentage with two decimals, truncated: 99.999 % is not 100 %. */
export const percent = (share: number): string => `${(Math.floor(share * 10_000) / 100).toFixed(2)} %`

/** The report's lines, part by part. */
export function reportLines(judged: readonly Judged[], options: ReportOptions): string[] {
  return PARTS.flatMap((part) => {
    const cases = judged.filter(({ outcome }) => outcome.part === part)
    return cases.length === 0 ? [] : partLines(part, cases, options)
  })
}

function partLines(part: Part, cases: readonly Judged[], options: ReportOptions): string[] {
  const lines = ['', `== ${part} ==`]
  if (!options.summary) lines.push(...resourceTable(cases))
  const causes = causeLines(causesOf(cases), options.causes)
  lines.push(...causes)
  if (!options.summary || causes.length > 0) lines.push('')
  for (const [kind, count] of countBy(cases, (outcome) => outcome.kind)) {
    lines.push(`${kind.padEnd(16)} ${counted(count)}`)
  }
  const sum = total(cases)
  lines.push(`${'all'.padEnd(16)} ${counted(sum)}`)
  if (part === 'scenarios' || part === 'data-sources')
    lines.push(`${'scenarios'.padEnd(16)} ${counted(countScenarios(cases))}`)
  if (part === 'bodies') {
    const { same, other } = countFieldOrder(cases)
    const judgedBodies = number(same + other)
    lines.push(`field order: ${number(same)} of ${judgedBodies} equal JSON bodies are in the recorded order`)
    if (other > 0 && !options.summary) lines.push(...fieldOrderLines(cases))
  }
  const leftOut = options.leftOut.get(part) ?? 0
  if (leftOut > 0) lines.push(`not selected: ${number(leftOut)} cases`)
  return lines
}

function counted(count: Count): string {
  const { passed, failed, known } = count
  const all = passed + failed + known
  const without = known > 0 ? ` (${percent(passed / Math.max(1, passed + failed))} without known)` : ''
  return (
    `${number(passed).padStart(7)} of ${number(all).padStart(7)} passed, ` +
    `${number(failed).padStart(6)} failed, ${number(known).padStart(5)} known: ` +
    `${percent(ratio(count))}${without}`
  )
}

function resourceTable(cases: readonly Judged[]): string[] {
  const counts = [...countBy(cases, (outcome) => outcome.resource)].sort(([a], [b]) => a.localeCompare(b, 'en'))
  const width = Math.max(12, ...counts.map(([resource]) => resource.length))
  const failedKinds = countBy(cases, (outcome) => `${outcome.resource} ${outcome.kind}`)
  const head = `${'resource'.padEnd(width)}  passed  failed   known  failed by kind`
  return [
    head,
    ...counts.map(([resource, { passed, failed, known }]) => {
      const kinds = [...failedKinds]
        .filter(([key, count]) => key.startsWith(`${resource} `) && count.failed > 0)
        .map(([key, count]) => `${key.slice(resource.length + 1)} ${count.failed}`)
      const figures = [passed, failed, known].map((value) => String(value).padStart(6)).join('  ')
      return `${resource.padEnd(width)}  ${figures}  ${kinds.join(', ')}`.trimEnd()
    }),
  ]
}

function causeLines(causes: readonly Cause[], limit: number): string[] {
  if (causes.length === 0) return []
  const lines = ['', `failures by cause (${number(causes.length)} causes)`]
  for (const cause of causes.slice(0, limit)) lines.push(...oneCause(cause))
  if (causes.length > limit) lines.push(`… and ${number(causes.length - limit)} more causes`)
  return lines
}

function oneCause({ text, cases }: Cause): string[] {
  const lines = [`${String(cases.length).padStart(6)}  ${text}${spread(cases, text)}`]
  for (const outcome of cases.slice(0, EXAMPLES)) {
    const found = outcome.differences.find(({ cause }) => text === `${outcome.context}: ${cause}`)
    lines.push(`          ${outcome.id}`)
    if (found?.expected !== undefined) lines.push(`              expected ${found.expected}`)
    if (found?.actual !== undefined) lines.push(`              actual   ${found.actual}`)
  }
  return lines
}

/** The resources in which a cause occurs, if its text does not name them. */
function spread(cases: readonly Outcome[], text: string): string {
  const counts = new Map<string, number>()
  for (const { resource } of cases) counts.set(resource, (counts.get(resource) ?? 0) + 1)
  const names = [...counts].sort(([, a], [, b]) => b - a)
  if (names.length === 1 && text.includes(names[0]?.[0] ?? '')) return ''
  const shown = names.slice(0, RESOURCES).map(([name, count]) => `${name} ${count}`)
  if (names.length > RESOURCES) shown.push(`${names.length - RESOURCES} more`)
  return `  [${shown.join(', ')}]`
}

function fieldOrderLines(cases: readonly Judged[]): string[] {
  const others = cases.filter(({ outcome }) => outcome.sameFieldOrder === false)
  const counts = [...countBy(others, (outcome) => outcome.resource)]
  return counts.map(([resource, { passed }]) => `  another order: ${resource} ${passed}`)
}

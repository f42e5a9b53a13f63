import { missingRows, type Ratio, ratiosOf, verdictsOf } from '../reference/ratios.ts'
import type { ReferenceRow } from '../reference/table.ts'
import type { GrowthRow, LimitRow, Measurement, Result } from '../result.ts'
import { figure, markdownTable, percent } from './figures.ts'
import { loadWords } from './load-words.ts'

/** Everything in a result as a section of a document; with the reference's table, ratios to it. */
export function resultSection(
  result: Result,
  reference: readonly ReferenceRow[] | undefined,
  picture?: string,
): string {
  const ratios = reference ? ratiosOf(reference, result.measurements) : []
  const missing = reference && ratios.length > 0 ? missingRows(reference, ratios) : []
  return [
    `## ${result.target}`,
    circumstances(result),
    ...(picture === undefined ? [] : [`![Requests a second](${picture})`]),
    ...(ratios.length === 0 ? [] : [verdictTable(ratios), ratioTable(ratios)]),
    ...(missing.length === 0 ? [] : [`Not measured: ${missing.join('; ')}.`]),
    ...(result.limit.length === 0 ? [] : ['### Beside a bare server', limitTable(result.limit)]),
    ...(result.growth.length === 0 ? [] : ['### Growth', growthTable(result.growth)]),
    ...(result.measurements.length === 0
      ? []
      : ['### All requests', measurementTable(result.measurements)]),
    '',
  ].join('\n\n')
}

function circumstances({ date, machine, versions, counts, coldStart, memory }: Result): string {
  const version = Object.entries(versions).map(([name, value]) => `${name} ${value}`)
  const objects = Object.entries(counts).map(
    ([name, count]) => `${count.toLocaleString('en')} ${name}`,
  )
  const sentences = [
    `${date}; ${[machine, ...version].join(', ')}.`,
    ...(objects.length === 0 ? [] : [`Data: ${objects.join(', ')}.`]),
    ...(coldStart === null
      ? []
      : [`From the start of the process to the first answer: ${figure(coldStart)} ms.`]),
    ...(memory === null
      ? []
      : [
          `Resident memory after all requests: ${memory.server} MB (at most ${memory.serverPeak} MB)${memory.database === null ? '' : `, the database ${memory.database} MB`}.`,
        ]),
  ]
  return sentences.join(' ')
}

const verdictTable = (ratios: readonly Ratio[]): string =>
  markdownTable(
    ['times sooner than the reference', 'wanted', 'every request another', 'the same again'],
    verdictsOf(ratios).map(({ sentence, bar, varied, same }) => [
      sentence,
      ...[bar, varied, same].map(figure),
    ]),
  )

const ratioTable = (ratios: readonly Ratio[]): string =>
  markdownTable(
    [
      'request',
      'reference',
      'every request another',
      'times sooner',
      'the same again',
      'times sooner',
    ],
    ratios.map(({ name, kind, reference, varied, variedRatio, same, sameRatio }) => {
      const isTime = kind === 'write' || kind === 'bulk write'
      const unit = isTime ? ' ms' : '/s'
      return [
        name,
        `${figure(reference)}${unit}`,
        `${figure(varied)}${unit}`,
        figure(variedRatio),
        ...(isTime ? ['', ''] : [`${figure(same)}${unit}`, figure(sameRatio)]),
      ]
    }),
  )

const limitTable = (rows: readonly LimitRow[]): string =>
  markdownTable(
    ['request', 'bare server, requests/s', 'ours', 'share'],
    rows.map(({ name, ours, bare }) => [
      name,
      figure(bare.rate),
      figure(ours.rate),
      percent(ours.rate / bare.rate),
    ]),
  )

function growthTable(rows: readonly GrowthRow[]): string {
  const sizes = rows[0]?.points.map(({ interfaces }) => interfaces.toLocaleString('en')) ?? []
  return markdownTable(
    ['median ms, by number of interfaces', ...sizes, 'last / first'],
    rows.map(({ name, points }) => {
      const [first, last] = [points[0]?.median, points.at(-1)?.median]
      const growth = first === undefined || last === undefined ? null : last / first
      return [name, ...points.map(({ median }) => figure(median)), figure(growth)]
    }),
  )
}

const measurementTable = (measurements: readonly Measurement[]): string =>
  markdownTable(
    ['request', 'connections', 'median ms', 'p95', 'p99', 'requests/s', 'CPU ms a request'],
    measurements.map((each) => [
      each.name,
      loadWords(each),
      ...[each.median, each.p95, each.p99, each.rate, cpuOfRequest(each)].map(figure),
    ]),
  )

/** Milliseconds, of server and database together. */
function cpuOfRequest({ serverCpu, databaseCpu, requests }: Measurement): number | null {
  if (serverCpu === null) return null
  return ((serverCpu + (databaseCpu ?? 0)) * 1000) / requests
}

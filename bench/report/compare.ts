import { geometricMean } from '../geometric-mean.ts'
import type { Measurement, Result } from '../result.ts'
import { WRITE_NAMES } from '../shapes/writes.ts'
import { loadLabel } from './load-label.ts'
import { figure, markdownTable } from './number-format.ts'

interface Pair {
  readonly one: Measurement
  readonly other: Measurement
}

/** Table of medians and requests per second of two results, for the requests that both measured. */
export function compareResults(before: Result, after: Result): string {
  const pairs = before.measurements.flatMap((one): Pair[] => {
    const other = after.measurements.find(
      ({ name, connections, varied }) =>
        name === one.name && connections === one.connections && varied === one.varied,
    )
    return other ? [{ one, other }] : []
  })
  const table = markdownTable(
    ['request', 'connections', 'ms before', 'after', 'requests/s before', 'after', 'gain'],
    pairs.map((pair) => [
      pair.one.name,
      loadLabel(pair.one),
      ...[pair.one.median, pair.other.median, pair.one.rate, pair.other.rate].map(figure),
      `${figure(gain(pair))}×`,
    ]),
  )
  const means = Map.groupBy(pairs, ({ one }) => groupOf(one))
    .entries()
    .map(([load, each]) => `${load}: ${figure(geometricMean(each.map(gain)))}×`)
  return `${table}\n\nGeometric means of the gains: ${[...means].join('; ')}.`
}

/** Name of the group: reads and writes are separate. */
const groupOf = (measurement: Measurement): string =>
  `${WRITE_NAMES.has(measurement.name) ? 'writes over ' : 'reads over '}${loadLabel(measurement)}`

const gain = ({ one, other }: Pair): number => other.rate / one.rate

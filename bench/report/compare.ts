import type { Result } from '../result.ts'
import { figure, markdownTable } from './figures.ts'

/** Medians and requests a second of two results, side by side, of what both have measured. */
export function compareResults(before: Result, after: Result): string {
  const rows = before.measurements.flatMap((one) => {
    const other = after.measurements.find(
      ({ name, connections, varied }) =>
        name === one.name && connections === one.connections && varied === one.varied,
    )
    if (!other) return []
    return [
      [
        one.name,
        `${one.connections}${one.varied ? '' : ', the same'}`,
        figure(one.median),
        figure(other.median),
        figure(one.rate),
        figure(other.rate),
        `${figure(other.rate / one.rate)}×`,
      ],
    ]
  })
  return markdownTable(
    ['request', 'connections', 'ms before', 'after', 'requests/s before', 'after', 'gain'],
    rows,
  )
}

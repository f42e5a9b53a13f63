import type { Measurement } from '../result.ts'
import { loadLabel } from './load-label.ts'
import { figure } from './number-format.ts'

const NAME = 42
const NUMBER = 11

const cell = (text: string): string => text.padStart(NUMBER)

/** A line of the console's table. */
export const measurementLine = (measurement: Measurement): string => {
  const { name, median, p95, p99, rate, serverCpu, databaseCpu } = measurement
  return [
    name.padEnd(NAME),
    cell(loadLabel(measurement)),
    ...[median, p95, p99, rate, serverCpu, databaseCpu].map((value) => cell(figure(value))),
  ].join('')
}

export const MEASUREMENT_HEADER = [
  ''.padEnd(NAME),
  ...['connections', 'median ms', 'p95', 'p99', 'requests/s', 'CPU s', 'database'].map(cell),
].join('')

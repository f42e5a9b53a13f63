import { readFileSync } from 'node:fs'

/** One row of the reference's measurements. */
export interface ReferenceRow {
  readonly name: string
  /** Median over one connection. */
  readonly milliseconds: number
  /** Requests per second over eight connections; undefined for writes. `under 1` counts as 1. */
  readonly rate: number | undefined
}

/** Rows of the document's first table: request, milliseconds, requests per second. Throws for any other table. */
export function parseReference(markdown: string): ReferenceRow[] {
  const lines = markdown.split('\n').filter((line) => line.startsWith('|'))
  const [head = [], , ...rows] = lines.map(cellsOf)
  if (head.join() !== 'request,ms,requests/s') {
    throw new Error('The table of the reference has the columns request, ms and requests/s.')
  }
  return rows.map(([name = '', milliseconds = '', rate = '']) => ({
    name,
    milliseconds: numberIn(name, milliseconds),
    rate: rate === '' ? undefined : numberIn(name, rate.replace(/^under /, '')),
  }))
}

export const readReference = (path: string): ReferenceRow[] =>
  parseReference(readFileSync(path, 'utf8'))

const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

function numberIn(name: string, text: string): number {
  const value = Number(text.replaceAll(',', ''))
  if (text === '' || Number.isNaN(value)) throw new Error(`${name}: ${text} is no number.`)
  return value
}

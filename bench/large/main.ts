import { startOwnServer } from '../servers/own-server.ts'
import { type LargePageResult, measureLargePages } from './measure.ts'
import { createLargePages } from './objects.ts'

/** Prints measurements of pages with very many objects, as rows of a Markdown table. */
const HEADINGS = [
  'page',
  'server: first, median, 95 %, processor (ms)',
  'page, scripts (kB)',
  'Chromium: usable, main thread (ms)',
]

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

const numbers = (...values: readonly (number | null)[]): string =>
  values.map((value) => (value === null ? '–' : String(Math.round(value)))).join(', ')

const rowOf = (result: LargePageResult): string => {
  const { name, first, median, p95, processor, size, scripts, usable, mainThread } = result
  return row([
    name,
    numbers(first, median, p95, processor),
    numbers(size, scripts),
    numbers(usable, mainThread),
  ])
}

const server = await startOwnServer('pglite', { kind: 'empty' }, { nothingKept: false })
try {
  const results = await measureLargePages(server, await createLargePages(server.access))
  console.log([row(HEADINGS), row(HEADINGS.map(() => '---')), ...results.map(rowOf)].join('\n'))
} finally {
  await server.close()
}

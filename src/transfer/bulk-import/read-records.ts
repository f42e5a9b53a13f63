import papaparse from 'papaparse'
import { isJsonObject, parseJson } from '../../schema/json.ts'
import { readYamlDocuments } from '../../schema/yaml-documents.ts'
import type { ImportFormat, Problem, Records, SourceRecord } from './records.ts'

const DELIMITERS = [',', ';', '\t'] as const
export type Delimiter = (typeof DELIMITERS)[number]

/** How to read a text; absent options are detected. */
export interface ReadOptions {
  readonly format?: ImportFormat | undefined
  readonly delimiter?: Delimiter | undefined
}

/** The records of a text. A text that cannot be read is a problem in the result, never an exception. */
export function readRecords(text: string, { format, delimiter }: ReadOptions = {}): Records {
  const content = text.replace(/^\uFEFF/, '')
  if (content.trim() === '') return failed(format ?? 'csv', 'There is nothing to import.')
  if (content.includes('\0')) return failed(format ?? 'csv', 'The text contains null characters.')
  switch (format ?? formatOf(content)) {
    case 'json':
      return readJson(content)
    case 'yaml':
      return readYaml(content)
    case 'csv':
      return readCsv(content, delimiter)
  }
}

const failed = (format: ImportFormat, message: string): Records => ({
  format,
  columns: [],
  records: [],
  problems: [{ message }],
})

/** JSON begins with a bracket, YAML with a dash or with a name and a colon; everything else is CSV. */
function formatOf(content: string): ImportFormat {
  const start = content.trimStart()
  if (/^[[{]/.test(start)) return 'json'
  return /^(---|-\s|#|[\w-]+:(\s|$))/.test(start) ? 'yaml' : 'csv'
}

function readCsv(content: string, delimiter: Delimiter | undefined): Records {
  const { data, errors } = papaparse.parse<string[]>(content, {
    delimiter: delimiter ?? delimiterOf(content),
    skipEmptyLines: 'greedy',
  })
  const [broken] = errors
  if (broken) return failed('csv', `Record ${(broken.row ?? 0) || 1}: ${broken.message}.`)
  const [header = [], ...lines] = data
  const columns = header.map((name) => name.trim())
  const problems: Problem[] = headerProblems(columns)
  const records = lines.map((line, index): SourceRecord => {
    const row = index + 1
    if (line.length !== columns.length) {
      const message = `There are ${line.length} values for ${columns.length} columns.`
      problems.push({ row, message })
    }
    const cells = Object.fromEntries(columns.map((column, position) => [column, line[position]?.trim() ?? '']))
    return { row, cells }
  })
  if (records.length === 0) problems.push({ message: 'There are no rows below the header.' })
  return { format: 'csv', columns, records, problems }
}

/** A value for a cell: its row, from 1, and the position of its column. */
export interface CellCorrection {
  readonly row: number
  readonly column: number
  /** The present value of the cell; a cell with a different value was changed in another way, and is left alone. */
  readonly before: string
  readonly value: string
}

/** A column that the text does not have, and the value of its cells that no correction fills. */
export interface AddedColumn {
  readonly name: string
  readonly value: string
}

/**
 * The text with new values in these cells. The columns in `added` follow those of the text; one without a value is left
 * out. For formats other than CSV, and if nothing changes, the text is returned
 * unchanged.
 */
export function correctedText(
  text: string,
  { format, delimiter }: ReadOptions,
  corrections: readonly CellCorrection[],
  added: readonly AddedColumn[] = [],
): string {
  const content = text.replace(/^\uFEFF/, '')
  if ((format ?? formatOf(content)) !== 'csv') return text
  const separator = delimiter ?? delimiterOf(content)
  const { data } = papaparse.parse<string[]>(content, { delimiter: separator, skipEmptyLines: 'greedy' })
  const [header = [], ...rows] = data
  const { length } = header
  let isChanged = false
  for (const [index, { name, value }] of added.entries()) {
    const cells = new Map(
      corrections.flatMap((correction) =>
        correction.column === length + index && correction.value !== ''
          ? [[correction.row, correction.value] as const]
          : [],
      ),
    )
    if (value === '' && cells.size === 0) continue
    for (const [position, line] of rows.entries()) line.push(cells.get(position + 1) ?? value)
    header.push(name)
    isChanged = true
  }
  for (const { row, column, before, value } of corrections) {
    const line = data[row]
    if (column >= length || line?.[column]?.trim() !== before || value === before) continue
    line[column] = value
    isChanged = true
  }
  return isChanged ? papaparse.unparse(data, { delimiter: separator, newline: '\n' }) : text
}

function headerProblems(columns: readonly string[]): Problem[] {
  const repeated = columns.filter((name, index) => columns.indexOf(name) !== index)
  return [
    ...(columns.includes('') ? [{ message: 'A column has no name.' }] : []),
    ...repeated.map((column) => ({ column, message: 'The header contains this column twice.' })),
  ]
}

/** The delimiter that splits the header into the most columns; a comma if there is only one column. */
function delimiterOf(content: string): Delimiter {
  const columns = (delimiter: Delimiter): number =>
    papaparse.parse<string[]>(content, { delimiter, preview: 1 }).data[0]?.length ?? 0
  return DELIMITERS.reduce((best, delimiter) => (columns(delimiter) > columns(best) ? delimiter : best))
}

function readJson(content: string): Records {
  try {
    return recordsOf('json', parseJson(content))
  } catch (error) {
    return failed('json', `This is not valid JSON: ${messageOf(error)}`)
  }
}

/** A list of records, one record, or documents of these. */
function readYaml(content: string): Records {
  try {
    return recordsOf('yaml', readYamlDocuments(content).flat())
  } catch (error) {
    return failed('yaml', `This is not valid YAML: ${messageOf(error)}`)
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function recordsOf(format: ImportFormat, value: unknown): Records {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  const problems: Problem[] = []
  const records = items.flatMap((item, index): SourceRecord[] => {
    const row = index + 1
    if (isJsonObject(item)) return [{ row, cells: item }]
    problems.push({ row, message: 'A record must be an object of names and values.' })
    return []
  })
  if (items.length === 0) problems.push({ message: 'There is nothing to import.' })
  const columns = [...new Set(records.flatMap(({ cells }) => Object.keys(cells)))]
  return { format, columns, records, problems }
}

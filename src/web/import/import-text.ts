import type { ApiRequest } from '../../api/api-request.ts'
import type { FormValues } from '../../api/transport/body.ts'
import { invalid } from '../../base/errors.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { isJsonObject, type Json } from '../../schema/json.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { UploadedFile } from '../../schema/uploaded-file.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import {
  type AddedColumn,
  type CellCorrection,
  correctedText,
  type ReadOptions,
} from '../../transfer/bulk-import/read-records.ts'
import { FORMATS } from '../../transfer/bulk-import/records.ts'
import type { Option } from '../components/control.ts'
import { readList, visibleObjects } from '../data/page-objects.ts'
import { translate } from '../texts/translate.ts'

/** A submitted form of an import. */
export interface ImportEntry {
  readonly text: string
  readonly format: string
  readonly delimiter: string
  readonly options: ReadOptions
  readonly matchesKeys: boolean
  /** Columns by header; empty until headers have been assigned. */
  readonly mapping: Readonly<Record<string, string>>
}

const DELIMITER_NAMES = { comma: ',', semicolon: ';', tab: '\t' } as const

/** The text of the form and how it is read. An uploaded file, or a data file, replaces the text. Throws `invalid`. */
export async function entryOf(request: ApiRequest, form: FormValues): Promise<ImportEntry> {
  const last = (name: string): string => {
    const value = form.get(name)?.at(-1)
    return typeof value === 'string' ? value : ''
  }
  const format = last('format') || 'auto'
  const delimiter = last('csv_delimiter') || 'auto'
  const options: ReadOptions = {
    format: FORMATS.find((name) => name === format),
    delimiter: Object.entries(DELIMITER_NAMES).find(([name]) => name === delimiter)?.[1],
  }
  return {
    text: correctedText(await textOfForm(request, form, last), options, correctionsIn(form, last), addedIn(form, last)),
    format,
    delimiter,
    options,
    matchesKeys: last('match_keys') !== '',
    mapping: Object.fromEntries(
      [...form.keys()]
        .filter((name) => name.startsWith(MAPPING))
        .map((name) => [name.slice(MAPPING.length), last(name)]),
    ),
  }
}

/** Name of the field with the initial texts of the correctable cells, by the names of their inputs. */
export const SHOWN_CELLS = '_cells'

/** Name of the input for a cell. */
export const cellName = (row: number, column: number): string => `cell.${row}.${column}`

function correctionsIn(form: FormValues, last: (name: string) => string): readonly CellCorrection[] {
  return Object.entries(shownCells(last(SHOWN_CELLS))).flatMap(([name, before]) => {
    const [row = 0, column = 0] = name.split('.').slice(1).map(Number)
    return form.has(name) ? [{ row, column, before, value: last(name).trim() }] : []
  })
}

/** Prefix of the inputs that fill all cells of a missing column. */
export const FILL = 'fill.'

/** The missing columns in their order, each with the value for all rows. */
const addedIn = (form: FormValues, last: (name: string) => string): readonly AddedColumn[] =>
  [...form.keys()]
    .filter((name) => name.startsWith(FILL))
    .map((name) => ({ name: name.slice(FILL.length), value: last(name).trim() }))

/** Texts by name; none if a client sends something else. */
function shownCells(text: string): Readonly<Record<string, string>> {
  try {
    const value: unknown = JSON.parse(text)
    const entries = Object.entries(typeof value === 'object' && value !== null ? value : {})
    return Object.fromEntries(entries.map(([name, before]) => [name, String(before)]))
  } catch {
    return {}
  }
}

/** Prefix of the controls that assign headers. */
const MAPPING = 'map.'

async function textOfForm(request: ApiRequest, form: FormValues, last: (name: string) => string): Promise<string> {
  const file = form.get('upload_file')?.at(-1)
  if (file instanceof UploadedFile && file.bytes.length > 0) return decoded(file.bytes)
  const dataFile = last('data_file')
  if (dataFile !== '') return await textOfDataFile(request, Number(dataFile))
  return last('data').replaceAll('\r\n', '\n')
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalid({ data: [translate('The file is not UTF-8 text.')] })
  }
}

async function textOfDataFile(request: ApiRequest, id: number): Promise<string> {
  const { service } = request
  const model = service.registry.model(SYSTEM.dataFile)
  const visible = Number.isSafeInteger(id)
    ? await visibleObjects(request, model, [id], ['id'])
    : new Map<number, Json>()
  if (!visible.has(id)) throw invalid({ data_file: [translate('There is no such data file.')] })
  const [row] = await service.database.query<{ data: string }>(
    sql`select t.data from ${table(model)} t where t.id = ${id}::bigint`,
  )
  return decoded(Buffer.from(row?.data ?? '', 'base64'))
}

/** Maximum number of data files that the form offers. */
const MOST_FILES = '500'

/** Data files that can be imported, by their endings. */
export async function offeredFiles(request: ApiRequest): Promise<readonly Option[]> {
  const { service, actor } = request
  const model = service.registry.model(SYSTEM.dataFile)
  if (!mayAct(actor, 'view', model, service.settings)) return []
  const query = new URLSearchParams({ limit: MOST_FILES })
  for (const ending of ['.csv', '.tsv', '.json', '.yaml', '.yml']) query.append('path__iew', ending)
  const { objects } = await readList(request, model, { query, paths: ['id', 'path', 'source'] })
  return objects.map(({ id, path, source }) => ({
    value: String(id),
    label: `${isJsonObject(source) ? `${String(source.display)}: ` : ''}${String(path)}`,
  }))
}

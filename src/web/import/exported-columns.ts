import type { ApiRequest } from '../../api/api-request.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import type { Offered } from '../../transfer/bulk-import/columns.ts'
import type { Records, SourceRecord } from '../../transfer/bulk-import/records.ts'
import { visibleObjects } from '../data/page-objects.ts'
import { allColumns, type ExportColumn } from '../export/export-columns.ts'
import { currentLanguage, ENGLISH, inLanguage, type Language } from '../texts/language.ts'

/** A column of an export of the list, and the column of an import that reads it. */
export interface ExportedColumn {
  readonly exported: ExportColumn
  /** Undefined if an import cannot change the values: times, counts, computed values. */
  readonly importedAs: string | undefined
}

/** Columns of an export of the model's list, by heading: in English, as in the export, and in the page's language. */
export async function exportedColumns(
  { service }: ApiRequest,
  model: Model,
  offered: ReadonlyMap<string, Offered>,
): Promise<ReadonlyMap<string, ExportedColumn>> {
  const columns = new Map<string, ExportedColumn>()
  for (const language of new Set<Language>([ENGLISH, currentLanguage()])) {
    for (const exported of await inLanguage(language, () => allColumns(service, model))) {
      // Names of columns keep their meaning.
      if (columns.has(exported.heading) || offered.has(exported.heading)) continue
      columns.set(exported.heading, { exported, importedAs: importedAs(offered, exported.name) })
    }
  }
  return columns
}

/** Name of the import's column for the list's column at a path. */
function importedAs(offered: ReadonlyMap<string, Offered>, path: string): string | undefined {
  if (offered.has(path)) return path
  const [relation = '', attribute = ''] = path.split('.')
  for (const { name, source } of offered.values()) {
    if (source.kind !== 'extra') continue
    // `device_type.manufacturer` is the column `manufacturer`, which narrows the device types.
    if (source.extra.listedAs === path || (name === attribute && source.extra.narrows?.[relation] === name)) return name
  }
  return undefined
}

/**
 * The records, with the columns whose cells still have the text that an export shows. Some texts of exports are
 * ambiguous or rounded; they must not change the object.
 */
export async function withUnchangedCells(
  request: ApiRequest,
  model: Model,
  records: Records,
  columnOf: (header: string) => string,
  exported: ReadonlyMap<string, ExportedColumn>,
): Promise<Records> {
  const idHeader = records.columns.find((header) => columnOf(header) === 'id')
  const compared = records.columns.flatMap((header) => {
    const column = exported.get(header)
    const isRead = column?.importedAs !== undefined && column.importedAs === columnOf(header)
    return isRead && header !== idHeader ? [{ header, column: column.exported }] : []
  })
  if (records.format !== 'csv' || idHeader === undefined || compared.length === 0) return records
  const idOf = ({ cells }: SourceRecord): number => Number(cells[idHeader])
  const ids = records.records.map(idOf).filter((id) => Number.isSafeInteger(id) && id > 0)
  const paths = [...new Set(compared.map(({ column }) => column.path))]
  const objects = await visibleObjects(request, model, ids, ['id', ...paths])
  const unchangedIn = (cells: SourceRecord['cells'], object: JsonObject): readonly string[] =>
    compared.filter(({ header, column }) => cells[header] === asCell(column.textOf(object))).map(({ header }) => header)
  return {
    ...records,
    records: records.records.map((record) => {
      const object = objects.get(idOf(record))
      return object ? { ...record, unchanged: new Set(unchangedIn(record.cells, object)) } : record
    }),
  }
}

/** A text as a form returns it. */
const asCell = (text: string): string => text.replaceAll('\r\n', '\n').trim()

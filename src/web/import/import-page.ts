import type { ApiRequest } from '../../api/api-request.ts'
import { errorResponse } from '../../api/errors.ts'
import type { HttpResponse } from '../../api/response.ts'
import { ApiError } from '../../base/errors.ts'
import { mayAct, requirePermission } from '../../identity/permitted-rows.ts'
import { requireUser } from '../../identity/require-user.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { firstCharacters } from '../../schema/shortened.ts'
import { readRecords } from '../../transfer/bulk-import/read-records.ts'
import type { Records } from '../../transfer/bulk-import/records.ts'
import { type ImportResult, runImport } from '../../transfer/bulk-import/run-import.ts'
import { writeRequestOf } from '../../write/write-request.ts'
import { shownPlural, shownPluralNoun } from '../components/model-title.ts'
import { isImportable } from '../components/offered-methods.ts'
import { slugOf } from '../forms/slug.client.ts'
import type { ModelPageRow } from '../frame/page-endpoint.ts'
import { type PageResponse, sentenceOf } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { countParameters } from '../frame/saved-notice.ts'
import { guideLink, IMPORT_GUIDE } from '../guides/guide-of-model.ts'
import { html } from '../html.ts'
import { translate } from '../texts/translate.ts'
import { type ExportedColumn, exportedColumns, withUnchangedCells } from './exported-columns.ts'
import { EMPTY_FILE, importForm, type MappedHeader } from './import-form.ts'
import { importPreview } from './import-preview.ts'
import { entryOf, type ImportEntry, offeredFiles } from './import-text.ts'
import { describedColumns, importColumns, suggestedColumn } from './offered-columns.ts'

/** Refusals that concern the page as a whole: without a login, or without such an object. */
const SENT_AWAY: ReadonlySet<number> = new Set([401, 404])

/**
 * GET and POST of `…/import/`. A form without a `step` imports at once, as the reference's form does; the page's own
 * form asks for a preview first.
 */
async function importPage(request: ApiRequest, model: Model): Promise<PageResponse> {
  const { actor, service } = request
  // Either permission gives access to the page: a text may create objects, change them, or both.
  const mayChange = mayAct(actor, 'change', model, service.settings)
  if (!mayChange) requirePermission(actor, 'add', model, service.settings)
  const form = request.method === 'POST' ? await request.body.form() : undefined
  if (!form && request.search.has(EMPTY_FILE)) return await emptyFile(request, model)
  if (!form) return await pageOf(request, model, { status: 200 })
  const isPreview = form.get('step')?.at(-1) === 'preview'
  let entry: ImportEntry | undefined
  try {
    entry = await entryOf(request, form)
    return await imported(request, model, entry, isPreview)
  } catch (error) {
    const response = error instanceof ApiError ? errorResponse(error) : undefined
    if (!(error instanceof ApiError) || !response || SENT_AWAY.has(response.status)) throw error
    // The text stays in the form, whatever the reason of the refusal.
    const refused = { status: response.status, notice: sentenceOf(error) }
    return await pageOf(request, model, { ...refused, ...(entry && { entry }) })
  }
}

async function imported(
  request: ApiRequest,
  model: Model,
  entry: ImportEntry,
  isPreview: boolean,
): Promise<PageResponse> {
  const { service } = request
  const records = readRecords(entry.text, entry.options)
  const exported = await exportedColumns(request, model, await importColumns(request, model))
  const { headers, isUnmapped } = await mappedHeaders(request, model, records, entry, exported)
  // Columns are assigned once all of them can be read; for a text that cannot be read, the reason is shown.
  if (isPreview && isUnmapped && records.problems.length === 0) {
    return await pageOf(request, model, { status: 200, entry, headers, isUnmapped })
  }
  const write = writeRequestOf(request, requireUser(request))
  const mapping = { ...headingsOf(records, exported), ...entry.mapping }
  const columnOf = (header: string): string => mapping[header] ?? header
  const input = {
    records: await withUnchangedCells(request, model, records, columnOf, exported),
    mapping,
    matchKeys: entry.matchesKeys,
    slugOf,
  }
  const result = await runImport(service, write, model, input, { isPreview })
  if (result.isStored) return seeOther(resultAddress(request, model, result))
  const status = isPreview || result.problems.length === 0 ? 200 : 400
  return await pageOf(request, model, { status, entry, headers, records, result, isPreview })
}

/** Columns by the headings of an export; '' leaves out those that an import cannot change. */
const headingsOf = ({ columns, format }: Records, exported: ReadonlyMap<string, ExportedColumn>) =>
  Object.fromEntries(
    columns.flatMap((header) => {
      const column = format === 'csv' ? exported.get(header) : undefined
      return column ? [[header, column.importedAs ?? '']] : []
    }),
  )

/** A CSV file with the columns that new objects may have, required ones first. */
async function emptyFile(request: ApiRequest, model: Model): Promise<HttpResponse> {
  const columns = (await describedColumns(request, model)).filter((column) => column.isForNewRows)
  const ordered = [
    ...columns.filter(({ isRequired }) => isRequired),
    ...columns.filter(({ isRequired }) => !isRequired),
  ]
  return {
    status: 200,
    type: 'text/csv; charset=utf-8',
    body: `${ordered.map(({ name }) => name).join(',')}\r\n`,
    headers: {
      'Cache-Control': 'no-store',
      'Content-Disposition': `attachment; filename="${model.name.replace('.', '-')}.csv"`,
    },
  }
}

/** The list of the objects that the import has created and changed. */
function resultAddress(request: ApiRequest, model: Model, { rows }: ImportResult): string {
  const list = `${request.service.settings.basePath}${pagePathOf(model)}`
  const written = rows.filter(({ action }) => action !== 'unchanged').length
  const notice = new URLSearchParams(countParameters(request, 'imported-all', written))
  return `${list}?${written > 0 ? `modified_by_request=${request.id}&` : ''}${notice}`
}

const SAMPLES = 3

async function mappedHeaders(
  request: ApiRequest,
  model: Model,
  { columns, records, format }: Records,
  { mapping }: ImportEntry,
  exported: ReadonlyMap<string, ExportedColumn>,
): Promise<{ readonly headers: readonly MappedHeader[]; readonly isUnmapped: boolean }> {
  const offered = await describedColumns(request, model)
  const isOffered = (header: string): boolean =>
    offered.some(({ name }) => name === header || name === header.split('.')[0])
  // Unknown keys of YAML and JSON are ignored, unless they are assigned to a column.
  const columnOf = (header: string): string => {
    if (isOffered(header)) return header
    if (format !== 'csv') return ''
    const column = exported.get(header)
    return column ? (column.importedAs ?? '') : suggestedColumn(offered, header)
  }
  const headers = columns.map((header) => ({
    header,
    column: mapping[header] ?? columnOf(header),
    samples: records.slice(0, SAMPLES).flatMap(({ cells }) => {
      const value = cells[header]
      return typeof value === 'string' && value !== '' ? [firstCharacters(value, 40)] : []
    }),
  }))
  const isUnmapped = format === 'csv' && columns.some((header) => !isOffered(header) && !(header in mapping))
  return { headers, isUnmapped }
}

/** A page of the import in one of its steps. */
interface Step {
  readonly status: number
  readonly notice?: string
  readonly entry?: ImportEntry
  readonly headers?: readonly MappedHeader[]
  readonly isUnmapped?: boolean
  readonly records?: Records
  readonly result?: ImportResult
  /** The result is that of a preview. */
  readonly isPreview?: boolean
}

async function pageOf(
  request: ApiRequest,
  model: Model,
  { status, notice, entry, headers = [], isUnmapped = false, records, result, isPreview = false }: Step,
): Promise<PageResponse> {
  const { csrfToken, service } = request
  const label = shownPlural(model)
  const title = translate('Import {objects}', { objects: shownPluralNoun(model) })
  const list = pagePathOf(model) ?? '/'
  const preview = result && records && (await importPreview(request, model, records, result, isPreview))
  return {
    title,
    model,
    status,
    styles: ['inputs.css', 'objects.css', 'import.css'],
    scripts: ['edit-form.client.ts'],
    breadcrumbs: [
      { label, path: list },
      { label: translate('Import'), path: `${list}import/` },
    ],
    body: html`<div class="heading"><h1>${title}</h1>${guideLink(request, IMPORT_GUIDE)}</div>${importForm({
      action: `${service.settings.basePath}${list}import/`,
      csrfToken,
      cancel: `${service.settings.basePath}${list}`,
      data: entry?.text ?? '',
      format: entry?.format ?? 'auto',
      delimiter: entry?.delimiter ?? 'auto',
      matchesKeys: entry?.matchesKeys ?? false,
      offered: await describedColumns(request, model),
      dataFiles: await offeredFiles(request),
      headers,
      isUnmapped,
      summary: notice ? html`<div class="notice bad" role="alert"><p>${notice}</p></div>` : preview?.summary,
      rows: preview?.rows,
      isCorrectable: preview?.isCorrectable === true,
      importLabel: result && importLabelOf(result),
    })}`,
  }
}

/** Undefined while the import would be refused. */
function importLabelOf({ rows, problems }: ImportResult): string | undefined {
  if (problems.length > 0 || rows.length === 0) return undefined
  return translate('Import {count} row|Import {count} rows', { count: rows.length })
}

/** The page of models whose objects can be imported. */
export const importPages = (model: Model): readonly ModelPageRow[] =>
  isImportable(model) ? [['import/', 'GET POST', importPage]] : []

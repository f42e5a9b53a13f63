import papaparse from 'papaparse'
import type { ApiRequest } from '../../api/api-request.ts'
import { type HttpResponse, JSON_TYPE } from '../../api/response.ts'
import { listObjects } from '../../api/verbs/list.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { jsonParts } from '../../read/serialise/json-list.ts'
import type { Model } from '../../schema/registry.ts'
import { yamlText } from '../../schema/yaml-text.ts'
import { asking } from '../data/inner-request.ts'
import { columnLabels } from '../lists/columns.ts'
import { allColumns, columnsAt, type ExportColumn } from './export-columns.ts'
import { listedIds, parsedObjects, partsOf, valuesOf } from './read-all.ts'
import { typesAsYaml } from './types-as-yaml.ts'

/**
 * A download of a model's list with its filters and order, without pages: `?export` all columns as CSV, `?export=table`
 * the visible columns, `?export=json` and `?export=yaml` the objects as in the API; any other name is that of an export
 * template. Throws as the API's list does.
 */
export async function exportList(request: ApiRequest, model: Model, columns: readonly string[]): Promise<HttpResponse> {
  const { service } = request
  const format = lastValue(request.search, 'export') ?? ''
  if (format === 'table') {
    const headings = await columnLabels(request, model, columns)
    return await asCsv(request, model, columnsAt(service, model, columns, headings))
  }
  if (format === 'json') return await asJson(request, model)
  if (format === 'yaml') return await asYaml(request, model)
  if (format !== '') return await listObjects(asking(request, request.search), model)
  const { importComponents } = service.registry.view(model)
  if (importComponents) return await typesOf(request, model)
  return await asCsv(request, model, await allColumns(service, model))
}

async function asCsv(request: ApiRequest, model: Model, columns: readonly ExportColumn[]): Promise<HttpResponse> {
  const ids = await listedIds(request, model, request.search)
  const lines = csvLines(request, model, ids, columns)
  return download(model, 'csv', 'text/csv; charset=utf-8', await begun(lines))
}

async function* csvLines(
  request: ApiRequest,
  model: Model,
  ids: readonly number[],
  columns: readonly ExportColumn[],
): AsyncGenerator<Uint8Array> {
  const line = (cells: readonly (readonly string[])[]): Uint8Array =>
    Buffer.from(`${papaparse.unparse(cells as string[][])}\r\n`)
  yield line([columns.map(({ heading }) => heading)])
  const paths = [...new Set(columns.map(({ path }) => path))]
  for await (const objects of valuesOf(request, model, ids, paths)) {
    if (objects.length === 0) continue
    yield line(objects.map((object) => columns.map((column) => column.textOf(object))))
  }
}

async function asJson(request: ApiRequest, model: Model): Promise<HttpResponse> {
  const ids = await listedIds(request, model, request.search)
  const parts = jsonParts([], partsOf(request, model, ids), '', '\n')
  return download(model, 'json', JSON_TYPE, await begun(parts))
}

async function asYaml(request: ApiRequest, model: Model): Promise<HttpResponse> {
  const ids = await listedIds(request, model, request.search)
  const parts = async function* (): AsyncGenerator<Uint8Array> {
    if (ids.length === 0) yield Buffer.from('[]\n')
    for await (const texts of partsOf(request, model, ids)) {
      const objects = parsedObjects(model, texts)
      if (objects.length > 0) yield Buffer.from(yamlText(objects))
    }
  }
  return download(model, 'yaml', 'text/yaml', await begun(parts()))
}

async function typesOf(request: ApiRequest, model: Model): Promise<HttpResponse> {
  const ids = await listedIds(request, model, request.search)
  return download(model, 'yaml', 'text/yaml', await begun(typesAsYaml(request, model, ids)))
}

/** The parts; the first one is already built, so that an error can still be reported. */
async function begun(parts: AsyncGenerator<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const first = await parts.next()
  return (async function* () {
    if (!first.done) yield first.value
    yield* parts
  })()
}

function download(
  { definition }: Model,
  extension: string,
  type: string,
  body: AsyncIterable<Uint8Array>,
): HttpResponse {
  const name = `${definition.labels[1]}.${extension}`.replaceAll(/[^\x20-\x7e]|["\\]/g, '_')
  return {
    status: 200,
    type,
    body,
    headers: { 'Content-Disposition': `attachment; filename="${name}"` },
  }
}

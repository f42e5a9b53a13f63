import type { ApiRequest } from '../../api/api-request.ts'
import { ApiError } from '../../base/errors.ts'
import type { User } from '../../identity/actor.ts'
import { requirePermission } from '../../identity/permitted-rows.ts'
import { requireUser } from '../../identity/require-user.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { runImport } from '../../transfer/bulk-import/run-import.ts'
import { writeRequestOf } from '../../write/write-request.ts'
import { csrfField } from '../components/csrf-field.ts'
import { shownPlural } from '../components/model-title.ts'
import { isImportable, offersMethod } from '../components/offered-methods.ts'
import { readList } from '../data/page-objects.ts'
import { textIn } from '../forms/form-texts.ts'
import type { ModelPageRow } from '../frame/page-endpoint.ts'
import { type FramedPage, type PageResponse, sentenceOf } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { countParameters, dropEffect } from '../frame/saved-notice.ts'
import { type Html, html } from '../html.ts'
import { listPreferences } from '../lists/list-preferences.ts'
import { translate } from '../texts/translate.ts'
import {
  type CellTexts,
  cellName,
  changedCells,
  enteredTexts,
  problemsOfCells,
  recordsOf,
  SHOWN_CELLS,
  shownTextsDocument,
  shownTextsOf,
} from './grid-changes.ts'
import { cellTexts, type GridColumn, gridColumns, pathOfColumn } from './grid-columns.ts'

/** Maximum number of objects in a grid: each cell is a form field. */
const MOST_ROWS = 200

/** A grid as it was read. */
interface Grid {
  readonly columns: readonly GridColumn[]
  readonly rows: readonly { readonly id: number; readonly display: string }[]
  readonly count: number
  readonly stored: CellTexts
}

/** GET and POST of `…/grid/`: the objects of a list with their fields as cells, saved together, all or none. */
async function gridPage(request: ApiRequest, model: Model): Promise<PageResponse> {
  const user = requireUser(request)
  requirePermission(user, 'change', model, request.service.settings)
  const grid = await readGrid(request, model)
  if (request.method !== 'POST') {
    return pageOf(request, model, grid, { initial: grid.stored, entered: grid.stored })
  }
  const form = (await request.body.form()) ?? new Map()
  const ids = grid.rows.map(({ id }) => id)
  const entered = enteredTexts(form, ids, grid.columns)
  const initial = shownTextsOf(form, grid.stored)
  const changed = changedCells(entered, initial)
  const message = textIn(form, 'changelog_message').trim()
  const conflicts = changedMeanwhile(changed, initial, grid.stored)
  const problems = conflicts.size > 0 ? conflicts : await saveCells(request, model, { user, changed, message })
  if (problems.size === 0) {
    const query = new URLSearchParams(request.search)
    const effect = changed.size > 0 ? countParameters(request, 'changed-all', changed.size) : {}
    for (const [name, value] of Object.entries(effect)) query.set(name, value)
    return seeOther(`${request.url.pathname}?${query}`)
  }
  // The message shows the value of the other user; saving again overwrites it.
  const base = conflicts.size > 0 ? grid.stored : initial
  return pageOf(request, model, grid, { initial: base, entered, problems, message })
}

/** Saves the changed cells, all or none. Returns why they were refused; an empty map if they are saved. */
async function saveCells(
  request: ApiRequest,
  model: Model,
  { user, changed, message }: { readonly user: User; readonly changed: CellTexts; readonly message: string },
): Promise<CellTexts> {
  if (changed.size === 0) return new Map()
  const write = writeRequestOf(request, user)
  const input = { records: recordsOf(changed, message) }
  try {
    return problemsOfCells(changed, await runImport(request.service, write, model, input, { isPreview: false }))
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason.kind !== 'invalid') throw error
    return new Map([[0, new Map([['', sentenceOf(error)]])]])
  }
}

/** Changed cells whose stored text differs from the one with which the form was shown. */
function changedMeanwhile(changed: CellTexts, initial: CellTexts, stored: CellTexts): CellTexts {
  return new Map(
    [...changed].flatMap(([id, texts]) => {
      const conflicts = [...texts.keys()].flatMap((name) => {
        const now = stored.get(id)?.get(name)
        return now === undefined || now === initial.get(id)?.get(name)
          ? []
          : [[name, translate('Changed in the meantime to “{value}”.', { value: now })] as const]
      })
      return conflicts.length > 0 ? [[id, new Map(conflicts)] as const] : []
    }),
  )
}

async function readGrid(request: ApiRequest, model: Model): Promise<Grid> {
  const preferences = await listPreferences(request, model)
  const columns = await gridColumns(request, model, preferences.columns)
  const query = new URLSearchParams(request.search)
  dropEffect(query)
  const limit = Number(lastValue(query, 'limit') ?? preferences.pageSize)
  query.set('limit', String(limit > 0 ? Math.min(limit, MOST_ROWS) : MOST_ROWS))
  const paths = ['id', 'display', ...columns.map((column) => pathOfColumn(model, column))]
  const { objects, count } = await readList(request, model, { query, paths })
  return {
    columns,
    count,
    rows: objects.map(({ id, display }) => ({ id: Number(id), display: String(display) })),
    stored: cellTexts(model, objects, columns),
  }
}

/** The texts of the displayed grid. */
interface GridState {
  /** Texts to compare with when the form is sent. */
  readonly initial: CellTexts
  readonly entered: CellTexts
  readonly problems?: CellTexts
  readonly message?: string
}

function pageOf(
  request: ApiRequest,
  model: Model,
  { columns, rows, count }: Grid,
  { initial, entered, problems = new Map(), message = '' }: GridState,
): FramedPage {
  const { basePath } = request.service.settings
  const page = pagePathOf(model) ?? '/'
  const label = shownPlural(model)
  const problemOf = (id: number, column: string): string => problems.get(id)?.get(column) ?? ''
  const general = problemOf(0, '')
  const names = ['', ...columns.map(({ name }) => name)]
  const isRefused = general !== '' || rows.some(({ id }) => names.some((name) => problemOf(id, name) !== ''))
  return {
    title: label,
    model,
    status: problems.size > 0 ? 400 : 200,
    styles: ['objects.css', 'inputs.css', 'grid.css'],
    scripts: ['grid.client.ts'],
    breadcrumbs: [
      { label, path: page },
      { label: translate('Grid'), path: `${page}grid/` },
    ],
    // The script adds moving by keys, pasting several cells, and filling down.
    body: html`<div class="heading"><h1>${label} <small class="count">${translate('{range} of {total}', { range: rows.length, total: count })}</small></h1><div class="actions"><a class="button quiet" href="${basePath}${page}?${String(request.search)}">${translate('Back to the list')}</a></div></div>
${isRefused && html`<div class="notice bad" role="alert"><p>${translate('Not saved.')}</p>${general !== '' && html`<p>${general}</p>`}</div>`}
<p class="muted">${translate('Type or paste values; choices are suggested. Either all changed cells are saved or none.')} <span class="with-script" hidden>${translate('Enter and the arrow keys move between rows, Ctrl+D or “Fill down” fills the cells below.')}</span></p>
<form method="post" action="${request.url.pathname}${request.url.search}" class="grid-form">${csrfField(request.csrfToken)}<input type="hidden" name="${SHOWN_CELLS}" value="${shownTextsDocument(initial)}">
<div class="scroll" tabindex="-1"><table class="grid"><thead><tr><th scope="col">${translate('Object')}</th>${columns.map((column) => html`<th scope="col">${column.label}</th>`)}</tr></thead>
<tbody>${rows.map(({ id, display }) => {
      const problem = problemOf(id, '')
      return html`<tr><th scope="row"><a href="${basePath}${page}${id}/"><bdi>${display}</bdi></a>${problem !== '' && html`<p class="error">${problem}</p>`}</th>${columns.map(
        (column) =>
          cellInput(column, display, {
            name: cellName(id, column.name),
            text: entered.get(id)?.get(column.name) ?? '',
            initial: initial.get(id)?.get(column.name) ?? '',
            problem: problemOf(id, column.name),
          }),
      )}</tr>`
    })}</tbody></table></div>
${columns.map(({ name, choices }) => choices.length > 0 && html`<datalist id="choices-${name}">${choices.map((value) => html`<option value="${value}"></option>`)}</datalist>`)}
<div class="buttons sticky"><label class="grow">${translate('Changelog message')} <input name="changelog_message" value="${message}" maxlength="200"></label><span id="grid-status" role="status"></span><button>${translate('Save')}</button></div></form>`,
  }
}

/** A cell, with its initial text. */
interface Cell {
  /** Of the form field. */
  readonly name: string
  readonly text: string
  readonly initial: string
  /** Why its text was refused; empty if it was not. */
  readonly problem: string
}

function cellInput(column: Grid['columns'][number], row: string, { name, text, initial, problem }: Cell): Html {
  const error = `error-${name}`
  return html`<td><input name="${name}" value="${text}" data-shown="${initial}" autocomplete="off" spellcheck="false" aria-label="${row}: ${column.label}"${column.choices.length > 0 && html` list="choices-${column.name}"`}${problem !== '' && html` aria-invalid="true" aria-describedby="${error}"`}>${problem !== '' && html`<p class="error" id="${error}">${problem}</p>`}</td>`
}

/** The grid of models whose objects can be imported and changed. */
export const gridPages = (model: Model): readonly ModelPageRow[] =>
  hasGrid(model) ? [['grid/', 'GET POST', gridPage]] : []

/** Whether the objects of the model can be edited in a grid. */
export const hasGrid = (model: Model): boolean => isImportable(model) && offersMethod(model, 'PATCH')

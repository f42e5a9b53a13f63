import type { ApiRequest } from '../../api/api-request.ts'
import { asTexts } from '../../schema/json.ts'
import { REQUIRED } from '../../schema/outcome.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { shortened } from '../../schema/shortened.ts'
import type { Problem, Records, SourceRecord } from '../../transfer/bulk-import/records.ts'
import type { ImportResult, RecordOutcome } from '../../transfer/bulk-import/run-import.ts'
import type { Option } from '../components/control.ts'
import { type Content, type Html, html } from '../html.ts'
import { type Text, translate, translateLabel } from '../texts/translate.ts'
import { type Candidates, type ColumnCandidates, closestCandidate, readCandidates } from './candidates.ts'
import { cellName, FILL, SHOWN_CELLS } from './import-text.ts'

/** Rows that a page shows. */
const MOST_ROWS = 200

const ACTIONS: Readonly<Record<RecordOutcome['action'], Text>> = {
  create: 'Create',
  update: 'Change',
  unchanged: 'No change',
  refused: 'Refused',
}

/** What an import would do, in two parts between which a page may put its form. */
interface ImportPreview {
  /** The problems, and how many rows have which effect. */
  readonly summary: Html
  /** The rows with errors at their cells: only the refused ones if there are any. */
  readonly rows: Content
  /** Some of the cells are inputs. */
  readonly isCorrectable: boolean
}

/** The effect of an import, or the reasons why it was refused if it was no preview. */
export async function importPreview(
  request: ApiRequest,
  model: Model,
  { columns: recordColumns, format, records }: Records,
  { rows, ignored, problems: all, columns: sources }: ImportResult,
  isPreview: boolean,
): Promise<ImportPreview> {
  const list = `${request.service.settings.basePath}${pagePathOf(model)}`
  const cells = new Map(records.map((record) => [record.row, record.cells]))
  // Those of rows are displayed there.
  const problems = rows.length === 0 ? all : []
  const refused = rows.filter(({ action }) => action === 'refused')
  const isBad = refused.length > 0 || problems.length > 0
  const listed = refused.length > 0 ? refused : rows
  const visibleRows = listed.slice(0, MOST_ROWS)
  const missing = format === 'csv' ? missingColumns(recordColumns, refused) : []
  const columns = [...recordColumns, ...missing]
  const inputs = format === 'csv' ? inputsOf(visibleRows, columns, cells) : new Map<string, string>()
  const choices = new Map(columns.map((column) => [column, choicesOf(model, sources, column)]))
  const wrong = new Set(visibleRows.flatMap(({ problems: ofRow }) => ofRow.map(({ column }) => column)))
  const candidates =
    inputs.size > 0 ? await readCandidates(request, sources, wrong) : new Map<string, ColumnCandidates>()
  // What has to be corrected is beside the names of the rows, not behind the columns that are right.
  const [naming, ...others] = columns
  const ordered = [
    naming,
    ...missing,
    ...others.filter((name) => wrong.has(name) && !missing.includes(name)),
    ...others.filter((name) => !wrong.has(name)),
  ]
  const shown = ordered.flatMap((name) => (name === undefined ? [] : [{ name, position: columns.indexOf(name) }]))
  const accepted = rows.length - listed.length
  const count = (action: RecordOutcome['action']): number => rows.filter((row) => row.action === action).length
  return {
    isCorrectable: inputs.size > 0,
    summary: html`${isBad && html`<div class="notice bad" role="alert"><p>${!isPreview && html`${translate('Nothing was imported.')} `}${refused.length > 0 ? translate('{count} row needs a correction.|{count} rows need a correction.', { count: refused.length }) : isPreview && translate('The text cannot be imported.')}</p>${problems.map((problem) => html`<p>${place(problem)}${problem.message}</p>`)}</div>`}
${ignored.length > 0 && html`<div class="notice"><p>${translate('Ignored keys: {keys}', { keys: ignored.join(', ') })}</p></div>`}
${rows.length > 0 && html`<p class="summary">${translate('{count} row: {created} to create, {changed} to change, {unchanged} without a change, {refused} refused.|{count} rows: {created} to create, {changed} to change, {unchanged} without a change, {refused} refused.', { count: rows.length, created: count('create'), changed: count('update'), unchanged: count('unchanged'), refused: refused.length })}</p>`}`,
    rows:
      rows.length > 0 &&
      html`${inputs.size > 0 && html`<p>${translate('Correct the cells here, or the text below, and send it again.')}</p><input type="hidden" name="${SHOWN_CELLS}" value="${JSON.stringify(Object.fromEntries(inputs))}">`}
<div class="scroll preview objects-table" tabindex="0" role="region" aria-label="${translate('Preview')}"><table>
<thead><tr><th scope="col">${translate('Row')}</th><th scope="col">${translate('Effect')}</th>${shown.map(({ name }) => html`<th scope="col">${name}${missing.includes(name) && fillInput(model, name, choices.get(name))}</th>`)}</tr></thead>
<tbody>${visibleRows.map((row) => tableRow(list, row, cells.get(row.row) ?? {}, { columns: shown, inputs, choices, candidates }))}</tbody>
</table></div>${[...candidates].map(([column, { list }]) => html`<datalist id="${listId(column)}">${list.map((name) => html`<option value="${name}"></option>`)}</datalist>`)}
${listed.length > visibleRows.length && html`<p>${translate('{count} more row is not shown.|{count} more rows are not shown.', { count: listed.length - visibleRows.length })}</p>`}
${accepted > 0 && html`<p>${translate('{count} row without a problem is not shown.|{count} rows without a problem are not shown.', { count: accepted })}</p>`}`,
  }
}

/** Maximum number of cells that can be corrected on a page. */
const MOST_INPUTS = 500

/**
 * Texts of the correctable cells, by the names of their inputs: the cells with errors, or all cells of a row whose
 * errors belong to no cell.
 */
function inputsOf(
  rows: readonly RecordOutcome[],
  columns: readonly string[],
  cells: ReadonlyMap<number, SourceRecord['cells']>,
): ReadonlyMap<string, string> {
  const inputs = rows
    .filter(({ action }) => action === 'refused')
    .flatMap(({ row, problems }) => {
      const wrong = new Set(problems.map(({ column }) => column))
      const isWhole = [...wrong].some((column) => column === undefined || !columns.includes(column))
      return columns.flatMap((column, position) => {
        const text = String(cells.get(row)?.[column] ?? '')
        // An input has only one line.
        const isOffered = (isWhole || wrong.has(column)) && !/[\r\n]/.test(text)
        return isOffered ? [[cellName(row, position), text] as const] : []
      })
    })
  return new Map(inputs.slice(0, MOST_INPUTS))
}

/** Columns that refused rows need and the text does not have. */
const missingColumns = (columns: readonly string[], refused: readonly RecordOutcome[]): readonly string[] => [
  ...new Set(
    refused
      .flatMap(({ problems }) => problems)
      .flatMap(({ column, message }) =>
        message === REQUIRED && column !== undefined && !columns.includes(column) ? [column] : [],
      ),
  ),
]

/** The values that a column accepts, if it is a choice between them. */
function choicesOf(model: Model, sources: ImportResult['columns'], header: string): readonly Option[] | undefined {
  const source = sources.find((column) => column.header === header)?.source
  const field = source?.kind === 'field' ? source.field : model.fields.get(header)
  if (field?.kind !== 'choice' || (source && source.kind !== 'field')) return undefined
  return field.choices.list.map(({ value, label }) => ({ value: String(value), label: translateLabel(label) }))
}

/** The input for a refused cell: a list of the values that it may have, or a text. */
const cellInput = (name: string, text: string, choices: readonly Option[] | undefined, about: Content): Html =>
  choices
    ? html`<select name="${name}"${about}>${!choices.some(({ value }) => value === text) && html`<option value="${text}" selected>${text}</option>`}${choices.map(({ value, label }) => html`<option value="${value}"${value === text && html` selected`}>${label}</option>`)}</select>`
    : html`<input name="${name}" value="${text}"${about} autocomplete="off">`

/** The input for all rows of a missing column, with the value that a form for a new object begins with. */
const fillInput = (model: Model, column: string, choices: readonly Option[] | undefined): Html =>
  html`<label class="fill">${translate('For all rows')} ${cellInput(`${FILL}${column}`, defaultText(model, column), choices, html``)}</label>`

function defaultText({ fields }: Model, column: string): string {
  const field = fields.get(column)
  const value = field && 'default' in field ? field.default : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** The id of the list of names from which a cell of this column can be chosen. */
const listId = (column: string): string => `names-${column.replaceAll(/\W/g, '-')}`

/** What the rows of the table share. */
interface Table {
  /** In the order of the table, with their positions in the text. */
  readonly columns: readonly { readonly name: string; readonly position: number }[]
  readonly candidates: Candidates
  readonly inputs: ReadonlyMap<string, string>
  readonly choices: ReadonlyMap<string, readonly Option[] | undefined>
}

const place = ({ row, column }: Problem): string =>
  `${row === undefined ? '' : `${translate('Row')} ${row}: `}${column === undefined ? '' : `${column}: `}`

function tableRow(
  list: string,
  { row, id, action, display, changes, problems }: RecordOutcome,
  cells: Readonly<Record<string, unknown>>,
  { columns, inputs, choices, candidates }: Table,
): Html {
  const href = action === 'update' || action === 'unchanged' ? `${list}${id}/` : undefined
  const isRefused = action === 'refused'
  const reasonOf = ({ column, message }: Problem): Html => {
    const text = column === undefined ? undefined : candidates.get(column)
    const closest = text && closestCandidate(text, String(cells[column ?? ''] ?? ''))
    return html`<strong class="cell-error">${column !== undefined && `${column}: `}${message === REQUIRED ? translate('Required.') : message}${closest !== undefined && ` ${translate('Did you mean {name}?', { name: closest })}`}</strong>`
  }
  const named: Content =
    display !== '' &&
    html` ${href === undefined ? html`<bdi>${display}</bdi>` : html`<a href="${href}"><bdi>${display}</bdi></a>`}`
  return html`<tr class="${isRefused && 'refused'}"><th scope="row">${row}</th>
<td>${translate(ACTIONS[action])}${!isRefused && named}${changes.map(changeItem)}${problems.map(reasonOf)}</td>
${columns.map(({ name: column, position }) => {
  const name = cellName(row, position)
  const errors = problems.filter((problem) => problem.column === column)
  const text = inputs.get(name)
  const about = html`${errors.length > 0 && html` aria-invalid="true" aria-describedby="${name}-error"`}`
  const label = translate('{field}: row {row}', { field: column, row })
  const value =
    text === undefined
      ? html`<bdi>${cellText(cells[column])}</bdi>`
      : cellInput(
          name,
          text,
          choices.get(column),
          html` aria-label="${label}"${about}${candidates.has(column) && html` list="${listId(column)}"`}`,
        )
  return html`<td>${value}${errors.length > 0 && html`<span id="${name}-error" class="visually-hidden">${errors.map(({ message }) => errorItem(message))}</span>`}</td>`
})}</tr>\n`
}

const changeItem = ({ field, before, after }: RecordOutcome['changes'][number]): Html =>
  html`<span class="change">${field}: ${before !== '' && html`<del><bdi>${before}</bdi></del> `}<ins><bdi>${after || translate('empty')}</bdi></ins></span>`

const errorItem = (message: string): Html => html`<strong class="cell-error">${message}</strong>`

const LONGEST = 200

function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return shortened(readable(asTexts(value)), LONGEST)
}

/** Items of a longer list that are named. */
const MOST_ITEMS = 3

/** A value of YAML or JSON for people: components by their names, the parts of other objects by theirs. */
function readable(value: unknown): string {
  if (Array.isArray(value)) {
    const items = value.map((item) => (isNamed(item) ? String(item.name) : readable(item)))
    if (items.length <= MOST_ITEMS + 1) return items.join(', ')
    return `${items.slice(0, MOST_ITEMS).join(', ')} … ${translate('({count} in total)', { count: items.length })}`
  }
  if (typeof value !== 'object' || value === null) return String(value ?? '')
  return Object.entries(value)
    .map(([name, part]) => `${name}: ${readable(part)}`)
    .join(', ')
}

const isNamed = (item: unknown): item is { readonly name: unknown } =>
  typeof item === 'object' && item !== null && 'name' in item

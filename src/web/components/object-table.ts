import { type Content, type Html, html } from '../html.ts'
import { translate } from '../texts/translate.ts'
import { textWidth } from './text-width.ts'
import { EMPTY } from './value.ts'

/** A column of a list of objects. */
export interface ObjectColumn {
  readonly name: string
  readonly label: string
  /** URL of the same list ordered by this column; absent for columns that cannot be sorted. */
  readonly sortHref?: string | undefined
  /** Present order by this column. */
  readonly sorted?: 'ascending' | 'descending' | undefined
  /** Numbers are right-aligned; names of ports, prefixes and MAC addresses have letters of equal width. */
  readonly kind?: ColumnKind
  /** Field whose values can be changed in the cells of this column. */
  readonly inline?: string | undefined
}

export type ColumnKind = 'num' | 'mono' | undefined

/** An object of a list. */
export interface ObjectRow {
  /** Value of the check box. */
  readonly id: number | string
  /** Name for screen readers. */
  readonly label: string
  /** Number of ancestors, by which the first cell is indented. */
  readonly depth?: number
  readonly cells: readonly Content[]
  readonly actions?: Content
  /** Heading of the group that begins with this row. */
  readonly group?: Content
}

/** Deepest level with a further indent. */
const DEEPEST = 8

interface ObjectTable {
  readonly columns: readonly ObjectColumn[]
  readonly rows: readonly ObjectRow[]
  /** Id of the form to which the check boxes belong; absent: there are none. */
  readonly selectionForm?: string | undefined
  readonly label: string
  /** This table is the main content of the page, so its header stays in view. */
  readonly isMain?: boolean
}

type Cells = Pick<ObjectTable, 'columns' | 'rows'>

/** The table without columns that are empty in all rows, and their headings. The first column and an ordered one stay. */
export function withoutEmptyColumns({ columns, rows }: Cells): Cells & { readonly emptyColumns: readonly string[] } {
  const isFilled = columns.map(
    ({ sorted }, index) => index === 0 || sorted !== undefined || rows.some(({ cells }) => cells[index] !== EMPTY),
  )
  return {
    columns: columns.filter((_, index) => isFilled[index]),
    rows: rows.map((row) => ({ ...row, cells: row.cells.filter((_, index) => isFilled[index]) })),
    emptyColumns: columns.filter((_, index) => !isFilled[index]).map(({ label }) => label),
  }
}

/** Widths of columns in rem for which there is a class. */
const WIDTHS = { narrowest: 2, widest: 24 }

/**
 * The class with the width at which the widest cell of the column fits. Browsers take the space that is missing from
 * the widest columns of names; no script has to measure anything, and nothing moves after it was drawn.
 */
function widthClass({ label, kind }: ObjectColumn, cells: readonly Content[]): string {
  const widest = Math.max(textWidth(label), ...cells.map((cell) => textWidth(cell, kind === 'mono')))
  return `w-${Math.min(WIDTHS.widest, Math.max(WIDTHS.narrowest, Math.ceil(widest)))}`
}

/** Objects as a table; the first column is the heading of its row. */
export function objectTable({ columns, rows, selectionForm, label, isMain = false }: ObjectTable): Html {
  const headings = columns.map((column, index) =>
    headerCell(
      // Row headings begin at the left, whatever they contain.
      index === 0 && column.kind === 'num' ? { ...column, kind: undefined } : column,
      widthClass(
        column,
        rows.map(({ cells }) => cells[index]),
      ),
    ),
  )
  const attributes = columns.map(
    ({ kind, label: heading }) =>
      // Cards on a phone show the heading before the value.
      html`${kind !== undefined && html` class="${kind}"`}${isMain && html` data-label="${heading}"`}`,
  )
  const isMono = columns[0]?.kind === 'mono'
  const isTree = rows.some(({ depth = 0 }) => depth > 0)
  return html`<div class="scroll objects-table${isMain && ' in-list'}${isMono && ' mono-names'}${isTree && ' tree'}" tabindex="0" role="region" aria-label="${label}"><table>
<thead><tr>${selectionForm !== undefined && html`<th class="select" scope="col" data-select-all="${selectionForm}" data-label="${translate('Select all')}"><span class="visually-hidden">${translate('Selection')}</span></th>`}${headings}<th scope="col" class="row-actions"><span class="visually-hidden">${translate('Actions')}</span></th></tr></thead>
<tbody>${rows.map((row) => html`${row.group && groupRow(row.group, columns.length + (selectionForm === undefined ? 1 : 2))}${tableRow(row, attributes, selectionForm)}`)}</tbody>
</table></div>`
}

const headerCell = ({ label, sortHref, sorted, kind, inline }: ObjectColumn, width: string): Html =>
  html`<th scope="col" class="${width}${kind === 'num' && ' num'}"${inline !== undefined && html` data-inline="${inline}"`}${sorted !== undefined && html` aria-sort="${sorted}"`}>${sortHref === undefined ? label : html`<a href="${sortHref}">${label}</a>`}</th>`

const groupRow = (heading: Content, cells: number): Html =>
  html`<tr class="group"><th colspan="${cells}" scope="rowgroup">${heading}</th></tr>\n`

const tableRow = (
  { id, label, depth = 0, cells, actions }: ObjectRow,
  attributes: readonly Html[],
  form: string | undefined,
): Html =>
  html`<tr>${form !== undefined && html`<td class="select"><input type="checkbox" name="id" value="${id}" form="${form}" aria-label="${translate('Select {object}', { object: label })}"></td>`}${cells.map(
    (cell, index) => {
      if (index === 0)
        return html`<th scope="row"${depth > 0 && html` class="depth-${Math.min(depth, DEEPEST)}"`}>${cell}</th>`
      return html`<td${attributes[index]}>${cell}</td>`
    },
  )}<td class="row-actions">${actions}</td></tr>\n`

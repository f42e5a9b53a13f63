import { type Content, type Html, html } from '../components/html.ts'
import { translate } from '../texts/translate.ts'

/** A cell, with the text that it was shown with first. */
export interface GridCell {
  /** Of the form field. */
  readonly name: string
  readonly text: string
  readonly shown: string
  /** Why its text was refused; empty: it was not. */
  readonly problem: string
}

/** The page of a grid. */
export interface GridPage {
  readonly title: string
  readonly action: string
  /** Address of the list. */
  readonly list: string
  readonly csrfInput: Content
  readonly hidden: { readonly name: string; readonly value: string }
  /** Objects that match the filters; the grid may have fewer. */
  readonly count: number
  readonly message: string
  readonly columns: readonly {
    readonly name: string
    readonly label: string
    readonly choices: readonly string[]
  }[]
  /** Why nothing was saved, where no cell is the reason. */
  readonly general: string
  readonly rows: readonly {
    readonly href: string
    readonly display: string
    readonly problem: string
    readonly cells: readonly GridCell[]
  }[]
}

/** A form with a field for each cell. The script adds moving by keys, pasting several cells, and filling down. */
export function gridBody(page: GridPage): Html {
  const { title, rows, columns, count, general } = page
  const isRefused =
    general !== '' ||
    rows.some(({ problem, cells }) => problem !== '' || cells.some((cell) => cell.problem !== ''))
  return html`<div class="heading"><h1>${title} <small class="count">${translate('{range} of {total}', { range: rows.length, total: count })}</small></h1><div class="actions"><a class="button quiet" href="${page.list}">${translate('Back to the list')}</a></div></div>
${isRefused && html`<div class="notice bad" role="alert"><p>${translate('Nothing was saved.')}</p>${general !== '' && html`<p>${general}</p>`}</div>`}
<p class="muted">${translate('A cell contains what it would in an import: related objects by their names, choices by their values. All changed cells are saved together, or none.')} <span class="with-script" hidden>${translate('Enter and the arrow keys move between rows, Ctrl+D or “Fill down” fills the cells below, and cells of a spreadsheet can be pasted.')}</span></p>
<form method="post" action="${page.action}" class="grid-form">${page.csrfInput}<input type="hidden" name="${page.hidden.name}" value="${page.hidden.value}">
<div class="scroll" tabindex="-1"><table class="grid"><thead><tr><th scope="col">${translate('Object')}</th>${columns.map(({ label }) => html`<th scope="col">${label}</th>`)}</tr></thead>
<tbody>${rows.map(
    (row) =>
      html`<tr><th scope="row"><a href="${row.href}"><bdi>${row.display}</bdi></a>${row.problem !== '' && html`<p class="error">${row.problem}</p>`}</th>${row.cells.map((cell, index) => cellInput(cell, columns[index], row.display))}</tr>`,
  )}</tbody></table></div>
${columns.map(({ name, choices }) => choices.length > 0 && html`<datalist id="choices-${name}">${choices.map((value) => html`<option value="${value}"></option>`)}</datalist>`)}
<div class="buttons sticky"><label class="grow">${translate('Changelog message')} <input name="changelog_message" value="${page.message}" maxlength="200"></label><span id="grid-status" role="status"></span><button>${translate('Save')}</button></div></form>`
}

function cellInput(
  { name, text, shown, problem }: GridCell,
  column: GridPage['columns'][number] | undefined,
  row: string,
): Html {
  const error = `error-${name}`
  return html`<td><input name="${name}" value="${text}" data-shown="${shown}" autocomplete="off" spellcheck="false" aria-label="${row}: ${column?.label}"${column && column.choices.length > 0 && html` list="choices-${column.name}"`}${problem !== '' && html` aria-invalid="true" aria-describedby="${error}"`}>${problem !== '' && html`<p class="error" id="${error}">${problem}</p>`}</td>`
}

import type { JsonObject } from '../../schema/json.ts'
import { type Html, html } from '../components/html.ts'
import { linkTo, valueView } from './value-view.ts'

/** A column of a list of objects. */
export interface TableColumn {
  readonly name: string
  readonly label: string
}

/** Objects of a response as rows, each starting with its display name. */
export function resultsTable(
  columns: readonly TableColumn[],
  objects: readonly JsonObject[],
): Html {
  return html`<div class="scroll results" tabindex="0" role="region" aria-label="Objects"><table>
<thead><tr><th scope="col">Object</th>${columns.map(({ label }) => html`<th scope="col">${label}</th>`)}</tr></thead>
<tbody>${objects.map(
    (object) =>
      html`<tr><th scope="row">${linkTo(object) ?? valueView(object.id)}</th>${columns.map(
        ({ name }) => html`<td>${valueView(object[name])}</td>`,
      )}</tr>\n`,
  )}</tbody>
</table></div>`
}

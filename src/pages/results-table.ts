import { isJsonObject, type Json, type JsonObject } from '../schema/json.ts'
import { type Content, type Html, html } from './html.ts'

/** A column of a list of objects. */
export interface TableColumn {
  readonly name: string
  readonly label: string
}

/** Objects of an answer as rows, each beginning with what it is called. */
export function resultsTable(
  columns: readonly TableColumn[],
  objects: readonly JsonObject[],
): Html {
  return html`<div class="scroll results" tabindex="0" role="region" aria-label="Objects"><table>
<thead><tr><th scope="col">Object</th>${columns.map(({ label }) => html`<th scope="col">${label}</th>`)}</tr></thead>
<tbody>${objects.map(
    (object) =>
      html`<tr><th scope="row">${linkTo(object) ?? cell(object.id)}</th>${columns.map(
        ({ name }) => html`<td>${cell(object[name])}</td>`,
      )}</tr>\n`,
  )}</tbody>
</table></div>`
}

/** A value in a few words: related objects as links, choices by their labels. */
function cell(value: Json | undefined): Content {
  if (value === undefined || value === null) return undefined
  if (value === true) return 'Yes'
  if (value === false) return 'No'
  if (typeof value !== 'object') return value
  if (isJsonObject(value)) return linkTo(value) ?? String(value.label ?? value.value ?? '')
  return value.map((each, index) => [index > 0 && ', ', cell(each)])
}

function linkTo({ url, display, name }: JsonObject): Content {
  const label = display ?? name
  return typeof url === 'string' && typeof label === 'string' && /^https?:/.test(url)
    ? html`<a href="${url}">${label}</a>`
    : undefined
}

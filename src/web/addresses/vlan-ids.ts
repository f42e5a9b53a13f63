import { type Html, html } from '../components/html.ts'
import { translate } from '../texts/translate.ts'

/** Numbers of a VLAN group: one that is in use, or several that are free. */
export interface VlanIdRow {
  readonly first: number
  readonly last: number
  /** Name of the VLAN; undefined where the numbers are free. */
  readonly name: string | undefined
  /** Address of the VLAN, or of the form for the first free number. */
  readonly href: string | undefined
}

/** Numbers in a row of the map. */
const COLUMNS = 128

/** All numbers as small squares: those outside the group's ranges are missing. */
export const vlanIdMap = (rows: readonly VlanIdRow[]): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${translate('Map of VLAN IDs')}"><svg class="space-map" viewBox="0 0 ${COLUMNS * 8} 256" role="group" aria-label="${translate('VLAN IDs')}">${rows.map((row) => (row.name === undefined ? stripes(row).map((each) => html`<rect class="free-id" x="${each.x}" y="${each.y}" width="${each.width}" height="7"/>`) : usedSquare(row, row.name)))}</svg></div>`

const placeOf = (vid: number) => ({ x: (vid % COLUMNS) * 8, y: Math.floor(vid / COLUMNS) * 8 })

const usedSquare = ({ first, href }: VlanIdRow, name: string): Html => {
  const { x, y } = placeOf(first)
  const square = html`<title>${first} ${name}</title><rect class="used-id" x="${x}" y="${y}" width="7" height="7"/>`
  return href === undefined
    ? html`<g>${square}</g>`
    : html`<a href="${href}" tabindex="-1" aria-label="${first} ${name}">${square}</a>`
}

/** Free numbers as one rectangle for each line of the map. */
function stripes({ first, last }: VlanIdRow) {
  const lines: { readonly x: number; readonly y: number; readonly width: number }[] = []
  for (let at = first; at <= last; ) {
    const end = Math.min(last, (Math.floor(at / COLUMNS) + 1) * COLUMNS - 1)
    lines.push({ ...placeOf(at), width: (end - at + 1) * 8 - 1 })
    at = end + 1
  }
  return lines
}

/** The numbers as a table. */
export const vlanIdTable = (rows: readonly VlanIdRow[]): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${translate('VLAN IDs')}"><table class="objects-table space-table"><thead><tr>${['ID', 'VLAN'].map((name) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>${rows.map(rowOf)}</tbody></table></div>`

const rowOf = ({ first, last, name, href }: VlanIdRow): Html => {
  if (name !== undefined) {
    return html`<tr><th scope="row">${first}</th><td>${href === undefined ? name : html`<a href="${href}">${name}</a>`}</td></tr>`
  }
  const text = first === last ? String(first) : `${first} – ${last}`
  return html`<tr class="free-space"><th scope="row">${text}</th><td>${translate('{count} free', { count: last - first + 1 })} ${href !== undefined && html`<a class="button quiet small" href="${href}" aria-label="${translate('Take {name}', { name: String(first) })}">${translate('Take {name}', { name: String(first) })}</a>`}</td></tr>`
}

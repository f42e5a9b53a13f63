import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct, permittedRowsOrNone } from '../../identity/permitted-rows.ts'
import type { JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Registry } from '../../schema/registry.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { panel } from '../components/panel.ts'
import { utilizationMeter } from '../components/utilization-bar.ts'
import type { ObjectPart, PageObject, PartContent } from '../frame/object-content.ts'
import { type Html, html } from '../html.ts'
import { translate } from '../texts/translate.ts'

/** Rows of the table; the map has all numbers. */
const MOST = 500

/** The numbers of a VLAN group: used ones, and free ones to allocate. */
export const vlanIdsPart: ObjectPart = { models: ['ipam.vlangroup'], load: vlanIdPanels }

async function vlanIdPanels({ request, object }: PageObject): Promise<PartContent> {
  const { actor, service, url } = request
  const model = vlanModel(service.registry)
  const used = await usedVlanIds(request, Number(object.id))
  const page = `${service.settings.basePath}${pagePathOf(model)}`
  const mayAdd = mayAct(actor, 'add', model, service.settings)
  const formFor = (vid: number): string =>
    `${page}add/?${new URLSearchParams({ group: String(object.id), vid: String(vid), return_url: url.pathname })}`
  const rows = rangesOf(object)
    .flatMap(([first, last]) => idRows(first, last, used))
    .map((row) => {
      if (row.vlan)
        return {
          ...row,
          name: row.vlan.isVisible ? row.vlan.name : translate('in use'),
          href: row.vlan.isVisible ? `${page}${row.vlan.id}/` : undefined,
        }
      return { ...row, name: undefined, href: mayAdd ? formFor(row.first) : undefined }
    }) satisfies readonly VlanIdRow[]
  const total = Number(object.total_vlan_ids)
  return {
    left: panel(
      translate('Utilization'),
      utilizationMeter({
        label: translate('VLAN IDs'),
        share: total > 0 ? used.length / total : undefined,
        text: translate('{range} of {total}', { range: used.length, total }),
      }),
    ),
    isWide: true,
    right: panel(translate('VLAN IDs'), html`${used.length > 0 && vlanIdMap(rows)}${vlanIdTable(rows.slice(0, MOST))}`),
    styles: ['addresses.css'],
  }
}

/** The ranges of the group's numbers, ascending. */
const rangesOf = ({ vid_ranges: ranges }: JsonObject): readonly (readonly [number, number])[] =>
  (Array.isArray(ranges) ? ranges : [])
    .flatMap((range): readonly (readonly [number, number])[] =>
      Array.isArray(range) ? [[Number(range[0]), Number(range[1])]] : [],
    )
    .sort(([some], [other]) => some - other)

/** The numbers from `first` to `last`: those in use, and the free ones between them. */
function idRows(first: number, last: number, used: readonly UsedVlanId[]) {
  const rows: { first: number; last: number; vlan: UsedVlanId | undefined }[] = []
  let next = first
  for (const vlan of used) {
    if (vlan.vid < first || vlan.vid > last) continue
    if (vlan.vid > next) rows.push({ first: next, last: vlan.vid - 1, vlan: undefined })
    rows.push({ first: vlan.vid, last: vlan.vid, vlan })
    next = vlan.vid + 1
  }
  if (next <= last) rows.push({ first: next, last, vlan: undefined })
  return rows
}

/** The model of the numbers of a VLAN group. */
const vlanModel = (registry: Registry) => registry.model('ipam.vlan')

/** A number of a VLAN group that is in use. */
interface UsedVlanId {
  readonly vid: number
  readonly id: number
  readonly name: string
  readonly status: string
  /** False: the user may only know that the number is not free. */
  readonly isVisible: boolean
}

/** The used numbers of a VLAN group, ascending. */
async function usedVlanIds(
  { service, actor }: Pick<ApiRequest, 'service' | 'actor'>,
  group: number,
): Promise<readonly UsedVlanId[]> {
  const model = vlanModel(service.registry)
  const rows = permittedRowsOrNone(actor, 'view', model, service.settings)
  const vlans = await service.database.query<UsedVlanId & Record<string, unknown>>(sql`
    select t.vid, t.id, t.name, t.status, ${rows === 'all' ? sql`true` : sql`(${rows})`} as "isVisible"
    from ${table(model)} t where t.group_id = ${group}::bigint order by t.vid, t.id`)
  return vlans.map((vlan) => ({ ...vlan, vid: Number(vlan.vid), id: Number(vlan.id) }))
}

/** Numbers of a VLAN group: a single used one, or several free ones. */
interface VlanIdRow {
  readonly first: number
  readonly last: number
  /** Name of the VLAN; undefined if the numbers are free. */
  readonly name: string | undefined
  /** Address of the VLAN, or of the form for the first free number. */
  readonly href: string | undefined
}

/** Numbers per row of the map. */
const COLUMNS = 128

/** All numbers as small squares: those outside the group's ranges are missing. */
const vlanIdMap = (rows: readonly VlanIdRow[]): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${translate('Map of VLAN IDs')}"><svg class="space-map" viewBox="0 0 ${COLUMNS * 8} 256" role="group" aria-label="${translate('VLAN IDs')}">${rows.map((row) => (row.name === undefined ? stripes(row).map((part) => html`<rect class="free-id" x="${part.x}" y="${part.y}" width="${part.width}" height="7"/>`) : usedSquare(row, row.name)))}</svg></div>`

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
const vlanIdTable = (rows: readonly VlanIdRow[]): Html =>
  html`<div class="scroll objects-table" tabindex="0" role="region" aria-label="${translate('VLAN IDs')}"><table class="space-table"><thead><tr>${['ID', 'VLAN'].map((name) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>${rows.map(rowOf)}</tbody></table></div>`

const rowOf = ({ first, last, name, href }: VlanIdRow): Html => {
  if (name !== undefined) {
    return html`<tr><th scope="row">${first}</th><td>${href === undefined ? name : html`<a href="${href}">${name}</a>`}</td></tr>`
  }
  const text = first === last ? String(first) : `${first} – ${last}`
  return html`<tr class="free-space"><th scope="row">${text}</th><td>${translate('{count} free', { count: last - first + 1 })} ${href !== undefined && html`<a class="button quiet small" href="${href}">${translate('Add VLAN {name}', { name: String(first) })}</a>`}</td></tr>`
}

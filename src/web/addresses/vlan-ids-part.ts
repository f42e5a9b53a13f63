import { mayAct } from '../../identity/permitted-rows.ts'
import type { JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { html } from '../components/html.ts'
import { panel } from '../components/panel.ts'
import { utilizationView } from '../components/utilization-bar.ts'
import type { ObjectPart, PageObject, PartContent } from '../object/object-content.ts'
import { translate } from '../texts/translate.ts'
import { type UsedVlanId, usedVlanIds, vlanModel } from './visible-vlan-ids.ts'
import { type VlanIdRow, vlanIdMap, vlanIdTable } from './vlan-ids.ts'

/** Rows of the table; the map has all numbers. */
const MOST = 500

/** The numbers of a VLAN group that are in use, and those that are free to take. */
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
      utilizationView({
        label: translate('VLAN IDs'),
        share: total > 0 ? used.length / total : undefined,
        text: translate('{range} of {total}', { range: used.length, total }),
      }),
    ),
    isWide: true,
    right: panel(
      translate('VLAN IDs'),
      html`${vlanIdMap(rows)}${vlanIdTable(rows.slice(0, MOST))}`,
    ),
    styles: ['utilization.css', 'addresses.css'],
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

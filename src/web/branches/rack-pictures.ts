import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { html } from '../html.ts'
import { drawRack } from '../racks/draw-rack.ts'
import { rackModels, racksWithContents } from '../racks/rack-facts.ts'
import { type DrawnCell, markLegend, PLACES, type RackDevice, type RackMark, rackTable } from '../racks/rack-table.ts'
import { translate } from '../texts/translate.ts'
import type { NetChange } from './net-changes.ts'
import type { PictureKind, PictureState } from './pictures.ts'

/** The racks in which a branch places devices differently from main. */
export const rackPictures: PictureKind = {
  heading: () => translate('Racks before and after'),
  frame: (name, pictures) =>
    html`<div class="elevation"><div class="rack-row compared" tabindex="0" role="region" aria-label="${name}">${pictures}</div></div>`,
  model: 'dcim.rack',
  fields: { 'dcim.device': ['rack', 'position', 'face', 'device_type'] },
  objects: async ({ service: { database, registry } }, changes) => {
    const named = changes.flatMap(({ fields: { rack } }) => (rack ? [rack.before, rack.after] : []))
    const staying = changes.filter(({ fields }) => fields.rack === undefined).map(({ id }) => id)
    const { device } = rackModels(registry)
    const racksOfDevices = await database.queryColumn(sql`
      select t.rack_id from ${table(device)} t where t.id = any(${staying}::bigint[])`)
    return [...named, ...racksOfDevices].filter((id) => id !== null).map(Number)
  },
  legend: (changes) =>
    markLegend(
      new Set((['before', 'after'] as const).flatMap((side) => changes.map((change) => kindOf(change, side)))),
    ),
  draw: async (request, ids, { title, side, changes }) => {
    const racks = await racksWithContents(request, ids)
    const names = new Map(racks.map(({ id, name }) => [id, name]))
    const marks = new Map(
      changes.flatMap((change) => {
        const kind = kindOf(change, side)
        return kind === undefined ? [] : [[change.id, { kind, change }] as const]
      }),
    )
    const marked = (cell: DrawnCell | undefined): DrawnCell | undefined => {
      const mark = cell?.kind === 'device' ? marks.get(cell.id) : undefined
      if (cell?.kind !== 'device' || !mark) return cell
      const { kind, change } = mark
      return { ...cell, mark: { kind, ...(kind === 'moved' && { place: placeOf(change, side, names, cell) }) } }
    }
    return new Map(
      racks.map((rack) => {
        const heading = html`<h4>${title}</h4>`
        const drawn = drawRack(request, rack, { faces: ['front', 'rear'], heading, isPicture: true })
        const rows = drawn.rows.map(({ unit, cells }) => ({ unit, cells: cells.map(marked) }))
        return [rack.id, { name: rack.name, picture: rackTable({ ...drawn, rows, name: `${rack.name}, ${title}` }) }]
      }),
    )
  },
}

/** What the change does to the device, as the picture of one side shows it; undefined if that side lacks the device. */
function kindOf({ action, fields }: NetChange, side: PictureState['side']): RackMark['kind'] | undefined {
  const { rack, position, face } = fields
  const hasNoPlace = (when: PictureState['side']): boolean =>
    [rack, position].some((candidate) => candidate?.[when] === null)
  if (action === 'create' || hasNoPlace('before')) return side === 'after' ? 'added' : undefined
  if (action === 'delete' || hasNoPlace('after')) return side === 'before' ? 'removed' : undefined
  return rack || position || face ? 'moved' : 'changed'
}

/** Where a moved device is in the other picture. `names`: those of the racks; `position`: in this picture. */
function placeOf(
  { fields }: NetChange,
  side: PictureState['side'],
  names: ReadonlyMap<number, string>,
  { position: ownPosition = 0 }: Pick<RackDevice, 'position'>,
): string {
  const other = side === 'before' ? 'after' : 'before'
  const { rack, position, face } = fields
  const unit = Number(position?.[other] ?? ownPosition)
  const text = face
    ? translate(PLACES[face[other] === 'rear' ? 'rear' : 'front'], { position: unit })
    : translate('U{position}', { position: unit })
  const place = rack ? `${names.get(Number(rack[other])) ?? translate('another rack')}, ${text}` : text
  return side === 'before' ? translate('to {place}', { place }) : translate('from {place}', { place })
}

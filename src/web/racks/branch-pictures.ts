import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { PictureKind } from '../branches/pictures.ts'
import { html } from '../components/html.ts'
import { translate } from '../texts/translate.ts'
import { drawRack } from './draw-rack.ts'
import { rackModels, racksWithContents } from './rack-facts.ts'
import { rackTable } from './rack-table.ts'

/** The racks in which a branch places devices differently from main. */
export const rackPictures: PictureKind = {
  heading: () => translate('Racks before and after'),
  frame: (name, pictures) =>
    html`<div class="elevation"><div class="rack-row" tabindex="0" role="region" aria-label="${name}">${pictures}</div></div>`,
  model: 'dcim.rack',
  fields: { 'dcim.device': ['rack', 'position', 'face', 'device_type'] },
  objects: async ({ service: { database, registry } }, changes) => {
    const named = changes.flatMap(({ fields: { rack } }) => (rack ? [rack.before, rack.after] : []))
    const staying = changes.filter(({ fields }) => fields.rack === undefined).map(({ id }) => id)
    const { device } = rackModels(registry)
    const others = await database.queryColumn(sql`
      select t.rack_id from ${table(device)} t where t.id = any(${staying}::bigint[])`)
    return [...named, ...others].filter((id) => id !== null).map(Number)
  },
  draw: async (request, ids, title) =>
    new Map(
      (await racksWithContents(request, ids)).map((rack) => {
        const anonymous = { ...request, actor: { kind: 'anonymous' } } as const
        const drawn = drawRack(anonymous, rack, ['front', 'rear'], html`<h4>${title}</h4>`)
        return [rack.id, { name: rack.name, picture: rackTable({ ...drawn, name: `${rack.name}, ${title}` }) }]
      }),
    ),
}

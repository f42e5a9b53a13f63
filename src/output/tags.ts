import type { PageQuery, SharedRows } from '../schema/computed.ts'
import type { NestedProjection } from '../schema/field.ts'
import type { Model } from '../schema/registry.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { compareCodePoints } from '../sql/code-point-order.ts'
import { identifier, sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import { loadedForRow } from './loaded-texts.ts'
import { idsIn, idsOfAll } from './many.ts'
import type { FieldWriter } from './plan.ts'
import type { PlanBuilder } from './plan-builder.ts'
import { readSharedRows } from './shared-rows.ts'

/** How tags are shown on what they are tied to. */
export const TAG_PROJECTION: NestedProjection = [
  'id',
  'url',
  'display_url',
  'display',
  'name',
  'slug',
  'color',
]

/** Tags are sorted by these. Names are unique. */
const ORDER: SharedRows = {
  model: SYSTEM.tag,
  select: sql`${identifier('t', 'weight')}, ${identifier('t', 'name')}`,
}

/** The ids of the tags of rows of the model, in any order: to join and sort the tags of a page takes PostgreSQL a fifth of its time for the page. */
export const tagsOf =
  (model: Model): PageQuery =>
  (ids) =>
    sql`
    select i.object_id, string_agg(i.tag_id::text, ',')
    from ${table(SYSTEM.taggedItem, 'object_type', 'object_id', 'tag_id')} i
    where i.object_type = ${model.name} and i.object_id = any(${ids}::bigint[]) group by 1`

/** The tags of the page's rows, by weight and name. */
export function writeTags(builder: PlanBuilder): FieldWriter {
  const tag = builder.service.registry.model(SYSTEM.tag)
  const load = builder.addQuery(tagsOf(builder.model))
  const position = builder.loadByIds(async (page, reader) => {
    const tags = await load(page, reader)
    const several = [...tags.values()].filter((own) => own.includes(','))
    const [texts, places] = await Promise.all([
      reader.nested(tag, TAG_PROJECTION, idsOfAll(tags.values())),
      readSharedRows(reader, ORDER, idsOfAll(several)),
    ])
    const inOrder = (ids: readonly number[]): readonly number[] =>
      ids
        .map((id) => ({ id, place: places.get(id) ?? [] }))
        .sort((left, right) => compare(left.place, right.place))
        .map(({ id }) => id)
    return {
      write: (out, row) => {
        const own = tags.get(row)
        if (own === undefined) return false
        const ids = idsIn(own)
        texts.writeList(out, ids.length > 1 ? inOrder(ids) : ids)
        return true
      },
    }
  })
  return loadedForRow(position, '[]')
}

const compare = (
  [weight, name]: readonly unknown[],
  [otherWeight, otherName]: readonly unknown[],
): number =>
  Number(weight) - Number(otherWeight) || compareCodePoints(String(name), String(otherName))

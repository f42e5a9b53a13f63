import type { PageQuery, RowsByOwner, TextsById } from '../../schema/computed.ts'
import type { ManyToManyField, NestedProjection, ReverseField } from '../../schema/field.ts'
import { quote } from '../../schema/fields/kind.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { empty, identifier, join, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { columnOf } from '../query/column.ts'
import { compileOrder, type Order } from '../query/order.ts'
import type { WriteValue } from './plan.ts'
import type { PlanBuilder } from './plan-builder.ts'
import { reverseJoin } from './reverse-join.ts'

/** The objects to which a many-to-many field refers. */
export function writeManyToMany(
  builder: PlanBuilder,
  name: string,
  field: ManyToManyField,
  projection: NestedProjection | 'bare',
): WriteValue {
  const { service, model } = builder
  const target = service.registry.model(field.to)
  const relation = service.registry.joinTable(model, name, field)
  const own = sql`j.${identifier(relation.ownColumn)}`
  const { joins, terms } = orderOf(service, target, field.order)
  // Objects that bodies name by slug are shown by slug.
  const shown = field.write === 'slug' ? sql`t.${identifier('slug')}` : sql`t.id`
  const query: PageQuery = (ids) => sql`
    select ${own}, ${shown} from ${table(relation)} j
    join ${table(target)} t on t.id = j.${identifier(relation.otherColumn)}${joins}
    where ${own} = any(${ids}::bigint[]) order by ${terms}`
  return field.write === 'slug' ? writeSlugs(builder, query) : writeList(builder, target, projection, query)
}

/** Lists of slugs, for which no objects need to be read. */
function writeSlugs(builder: PlanBuilder, query: PageQuery): WriteValue {
  const load = builder.addQuery(query)
  const position = builder.loadByIds(async (page, reader) => {
    const slugs = await load(page, reader)
    return new Map([...slugs].map(([row, own]) => [row, `[${own.map(([slug]) => quote(slug))}]`]))
  })
  return (row, loaded) => loaded[position]?.get(Number(row[0])) ?? '[]'
}

/** The objects of another model that refer to this row. */
export function writeReverse(builder: PlanBuilder, field: ReverseField, projection: NestedProjection): WriteValue {
  const { service, model } = builder
  const target = service.registry.model(field.of)
  const { joins, key, where } = reverseJoin(target, field.via, model)
  const order = orderOf(service, target, field.order)
  const query: PageQuery = (ids) => sql`
    select ${key}, t.id
    from ${table(target)} t${joins}${order.joins}
    where ${where} and ${key} = any(${ids}::bigint[]) order by ${order.terms}`
  if (!field.single) return writeList(builder, target, projection, query)
  const load = builder.addQuery(query)
  const position = builder.loadByIds(async (page, reader) => {
    const related = await load(page, reader)
    const texts = await reader.nested(target, projection, allOf(related))
    return { get: (row) => texts.get(Number(related.get(row)?.[0]?.[0])) }
  })
  return (row, loaded) => loaded[position]?.get(Number(row[0])) ?? 'null'
}

/** Projection of the tags of an object. */
export const TAG_PROJECTION: NestedProjection = ['id', 'url', 'display_url', 'display', 'name', 'slug', 'color']

/** The tags of the page's rows, by weight and name. */
export const writeTags = (builder: PlanBuilder): WriteValue =>
  writeList(builder, builder.service.registry.model(SYSTEM.tag), TAG_PROJECTION, tagsOf(builder.service, builder.model))

/** Selects the ids of the tags of rows of the model, by weight and name. */
export function tagsOf(service: Service, model: Model): PageQuery {
  const tag = service.registry.model(SYSTEM.tag)
  const items = service.registry.model(SYSTEM.taggedItem)
  const { joins, terms } = orderOf(service, tag)
  return (ids) => sql`
    select i.object_id, t.id from ${table(items)} i
    join ${table(tag)} t on t.id = i.tag_id${joins}
    where i.object_type = ${model.name} and i.object_id = any(${ids}::bigint[]) order by ${terms}`
}

function writeList(
  builder: PlanBuilder,
  target: Model,
  projection: NestedProjection | 'bare',
  query: PageQuery,
): WriteValue {
  const load = builder.addQuery(query)
  const position = builder.loadByIds(async (page, reader) => {
    const related = await load(page, reader)
    if (projection === 'bare') return new Map([...related].map(([row, own]) => [row, `[${own.join()}]`]))
    const texts = await reader.nested(target, projection, allOf(related))
    return {
      get: (row) => {
        const own = related.get(row)
        return own && listOf(own, texts)
      },
    }
  })
  return (row, loaded) => loaded[position]?.get(Number(row[0])) ?? '[]'
}

/** All ids in the values, each once. */
const allOf = (related: RowsByOwner): Set<number> =>
  new Set([...related.values()].flatMap((own) => own.map(([id]) => Number(id))))

/** JSON list of the texts of the objects whose ids begin the rows; deleted objects are left out. */
const listOf = (own: readonly (readonly unknown[])[], texts: TextsById): string =>
  `[${own.flatMap(([id]) => texts.get(Number(id)) ?? [])}]`

/** The model's own order of the rows `t`, or the given one. */
function orderOf(service: Service, model: Model, declared?: readonly string[]): Order {
  if (!declared) {
    const { joins, terms } = compileOrder(service, model, undefined)
    return { joins: sql` ${joins}`, terms }
  }
  const column = columnOf(model, sql`t`)
  const terms = declared.map((term) => (term.startsWith('-') ? sql`${column(term.slice(1))} desc` : column(term)))
  return { joins: empty, terms: join([...terms, sql`t.id`]) }
}

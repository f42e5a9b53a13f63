import type { BatchQuery, RowsByOwner, TextsById } from '../../schema/computed.ts'
import type { ComputedField, ManyToManyField, NestedProjection, ReverseField } from '../../schema/field.ts'
import { quote } from '../../schema/fields/kind.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { empty, identifier, join, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { columnOf } from '../query/column.ts'
import { compileOrder, type Order } from '../query/order.ts'
import type { ValueRenderer } from './plan.ts'
import type { PlanBuilder } from './plan-builder.ts'
import { reverseJoin } from './reverse-join.ts'

/** The objects to which a many-to-many field refers. */
export function manyToManyRenderer(
  builder: PlanBuilder,
  name: string,
  field: ManyToManyField,
  projection: NestedProjection | 'bare',
): ValueRenderer {
  const { service, model } = builder
  const query = relatedQuery(service, model, name, field)
  if (field.write === 'slug') return slugsRenderer(builder, query)
  return listRenderer(builder, service.registry.model(field.to), projection, query)
}

/** Selects the ids of the related objects in their order; the slugs of those that bodies name by slug. */
function relatedQuery(service: WithRegistry, model: Model, name: string, field: ManyToManyField): BatchQuery {
  const target = service.registry.model(field.to)
  const relation = service.registry.joinTable(model, name, field)
  const ownerColumn = sql`j.${identifier(relation.ownColumn)}`
  const { joins, terms } = orderOf(service, target, field.order)
  const selected = field.write === 'slug' ? sql`t.${identifier('slug')}` : sql`t.id`
  return (ids) => sql`
    select ${ownerColumn}, ${selected} from ${table(relation)} j
    join ${table(target)} t on t.id = j.${identifier(relation.otherColumn)}${joins}
    where ${ownerColumn} = any(${ids}::bigint[]) order by ${terms}`
}

type WithRegistry = Pick<Service, 'registry'>

/** The objects of the many-to-many fields that a field joins, in the order of the fields, each with its type. */
export function joinedObjects(
  service: WithRegistry,
  model: Model,
  joins: NonNullable<ComputedField['joins']>,
): Required<Pick<ComputedField, 'queries' | 'load'>> {
  const parts = Object.entries(joins).flatMap(([to, name]) => {
    const field = model.fields.get(name)
    return field?.kind === 'manyToMany' ? [{ to, query: relatedQuery(service, model, name, field) }] : []
  })
  const load: ComputedField['load'] = async (_ids, { results, nested }) => {
    const lists = await Promise.all(
      parts.map(async ({ to, query }) => {
        const related = await results(query)
        const [app, key] = to.split('.')
        return { head: `{"app_label":"${app}","model":"${key}"`, related, texts: await nested(to, [...allOf(related)]) }
      }),
    )
    return {
      get: (row) => {
        const items = lists.flatMap(({ head, related, texts }) =>
          (related.get(row) ?? []).flatMap(([id]) => {
            const text = texts.get(Number(id))
            return text === undefined ? [] : `${head},"id":${id},"object":${text}}`
          }),
        )
        return `[${items}]`
      },
    }
  }
  return { queries: parts.map(({ query }) => query), load }
}

/** Lists of slugs, for which no objects need to be read. */
function slugsRenderer(builder: PlanBuilder, query: BatchQuery): ValueRenderer {
  const load = builder.addQuery(query)
  const position = builder.loadByIds(async (batch, reader) => {
    const slugs = await load(batch, reader)
    return new Map([...slugs].map(([row, rows]) => [row, `[${rows.map(([slug]) => quote(slug))}]`]))
  })
  return (row, loaded) => loaded[position]?.get(Number(row[0])) ?? '[]'
}

/** The objects of another model that refer to this row. */
export function reverseRenderer(
  builder: PlanBuilder,
  field: ReverseField,
  projection: NestedProjection,
): ValueRenderer {
  const { service, model } = builder
  const target = service.registry.model(field.of)
  const { joins, key, where } = reverseJoin(target, field.via, model)
  const order = orderOf(service, target, field.order)
  const query: BatchQuery = (ids) => sql`
    select ${key}, t.id
    from ${table(target)} t${joins}${order.joins}
    where ${where} and ${key} = any(${ids}::bigint[]) order by ${order.terms}`
  if (!field.single) return listRenderer(builder, target, projection, query)
  const load = builder.addQuery(query)
  const position = builder.loadByIds(async (batch, reader) => {
    const related = await load(batch, reader)
    const texts = await reader.nested(target, projection, allOf(related))
    return { get: (row) => texts.get(Number(related.get(row)?.[0]?.[0])) }
  })
  return (row, loaded) => loaded[position]?.get(Number(row[0])) ?? 'null'
}

/** Projection of the tags of an object. */
export const TAG_PROJECTION: NestedProjection = ['id', 'url', 'display_url', 'display', 'name', 'slug', 'color']

/** The tags of the batch's rows, by weight and name. */
export const tagsRenderer = (builder: PlanBuilder): ValueRenderer =>
  listRenderer(
    builder,
    builder.service.registry.model(SYSTEM.tag),
    TAG_PROJECTION,
    tagsOf(builder.service, builder.model),
  )

/** Selects the ids of the tags of rows of the model, by weight and name. */
export function tagsOf(service: Service, model: Model): BatchQuery {
  const tag = service.registry.model(SYSTEM.tag)
  const items = service.registry.model(SYSTEM.taggedItem)
  const { joins, terms } = orderOf(service, tag)
  return (ids) => sql`
    select i.object_id, t.id from ${table(items)} i
    join ${table(tag)} t on t.id = i.tag_id${joins}
    where i.object_type = ${model.name} and i.object_id = any(${ids}::bigint[]) order by ${terms}`
}

function listRenderer(
  builder: PlanBuilder,
  target: Model,
  projection: NestedProjection | 'bare',
  query: BatchQuery,
): ValueRenderer {
  const load = builder.addQuery(query)
  const position = builder.loadByIds(async (batch, reader) => {
    const related = await load(batch, reader)
    if (projection === 'bare') return new Map([...related].map(([row, rows]) => [row, `[${rows.join()}]`]))
    const texts = await reader.nested(target, projection, allOf(related))
    return {
      get: (row) => {
        const rows = related.get(row)
        return rows && listOf(rows, texts)
      },
    }
  })
  return (row, loaded) => loaded[position]?.get(Number(row[0])) ?? '[]'
}

/** All ids in the values, each once. */
const allOf = (related: RowsByOwner): Set<number> =>
  new Set([...related.values()].flatMap((rows) => rows.map(([id]) => Number(id))))

/** JSON list of the texts of the objects whose ids begin the rows; deleted objects are left out. */
const listOf = (rows: readonly (readonly unknown[])[], texts: TextsById): string =>
  `[${rows.flatMap(([id]) => texts.get(Number(id)) ?? [])}]`

/** The model's own order of the rows `t`, or the given one. */
function orderOf(service: WithRegistry, model: Model, declared?: readonly string[]): Order {
  if (!declared) {
    const { joins, terms } = compileOrder(service, model, undefined)
    return { joins: sql` ${joins}`, terms }
  }
  const column = columnOf(model, sql`t`)
  const terms = declared.map((term) => (term.startsWith('-') ? sql`${column(term.slice(1))} desc` : column(term)))
  return { joins: empty, terms: join([...terms, sql`t.id`]) }
}

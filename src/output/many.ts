import { columnOf } from '../query/column.ts'
import { compileOrder, type Order } from '../query/order.ts'
import type { Service } from '../query/service.ts'
import type { Form, ManyToManyField, ReverseField } from '../schema/field.ts'
import type { Model } from '../schema/registry.ts'
import { TAG_MODEL } from '../schema/step.ts'
import { empty, identifier, join, type Sql, sql } from '../sql/fragment.ts'
import { leadOf } from './lead.ts'
import type { Reader, WriteValue } from './plan.ts'
import type { PlanBuilder } from './plan-builder.ts'
import { quote } from './value-text.ts'

/** Pairs of the page's row and an object that belongs to it, in the order in which they are shown. */
type PairStatement = (ids: readonly number[]) => Sql

/** The objects that a many to many field names. */
export function writeManyToMany(
  builder: PlanBuilder,
  name: string,
  field: ManyToManyField,
  form: Form | 'bare',
): WriteValue {
  const { service, model } = builder
  const target = service.registry.model(field.to)
  const table = service.registry.joinTable(model, name, field)
  const own = sql`j.${identifier(table.ownColumn)}`
  const { joins, terms } = orderOf(service, target, field.order)
  // What is named by its slug is shown by its slug.
  const shown = field.write === 'slug' ? sql`t.slug` : sql`t.id`
  const statement: PairStatement = (ids) => sql`
    select ${own}, ${shown} from ${identifier(table.name)} j
    join ${identifier(target.table)} t on t.id = j.${identifier(table.otherColumn)}${joins}
    where ${own} = any(${ids}::bigint[]) order by ${terms}`
  return field.write === 'slug'
    ? writeSlugs(builder, statement)
    : writeList(builder, target, form, statement)
}

/** Lists of slugs, which need no objects to be read. */
function writeSlugs(builder: PlanBuilder, statement: PairStatement): WriteValue {
  const position = builder.loadByIds(
    async (ids, { database }) => {
      const slugs = new Map<number, string[]>()
      for (const [row, slug] of await database.queryArrays(statement(ids))) {
        const own = slugs.get(Number(row)) ?? []
        slugs.set(Number(row), [...own, quote(slug)])
      }
      return new Map([...slugs].map(([row, texts]) => [row, `[${texts.join(',')}]`]))
    },
    [statement([])],
  )
  return (row, loaded) => loaded[position]?.get(Number(row[0])) ?? '[]'
}

/** The objects of another model that point here. */
export function writeReverse(builder: PlanBuilder, field: ReverseField, form: Form): WriteValue {
  const { service, model } = builder
  const target = service.registry.model(field.of)
  const { joins, key, where } = leadOf(target, field.via, model)
  const order = orderOf(service, target, field.order)
  const statement: PairStatement = (ids) => sql`
    select ${key}, t.id from ${identifier(target.table)} t${joins}${order.joins}
    where ${where} and ${key} = any(${ids}::bigint[]) order by ${order.terms}`
  if (!field.single) return writeList(builder, target, form, statement)
  builder.use(target, form)
  const position = builder.loadByIds(
    async (ids, reader) => {
      const { byRow, texts } = await loadPairs(reader, target, form, statement(ids))
      return new Map(
        [...byRow].flatMap(([row, [first = 0]]) => {
          const text = texts.get(first)
          return text === undefined ? [] : [[row, text] as const]
        }),
      )
    },
    [statement([])],
  )
  return (row, loaded) => loaded[position]?.get(Number(row[0])) ?? 'null'
}

/** How tags are shown on what they are tied to. */
export const TAG_FORM: Form = ['id', 'url', 'display_url', 'display', 'name', 'slug', 'color']

/** The tags of the page's rows, by weight and name. */
export function writeTags(builder: PlanBuilder): WriteValue {
  const { service, model } = builder
  const tag = service.registry.model(TAG_MODEL)
  const items = service.registry.model('extras.taggeditem')
  const { joins, terms } = orderOf(service, tag)
  const statement: PairStatement = (ids) => sql`
    select i.object_id, t.id from ${identifier(items.table)} i
    join ${identifier(tag.table)} t on t.id = i.tag_id${joins}
    where i.object_type = ${model.name} and i.object_id = any(${ids}::bigint[]) order by ${terms}`
  return writeList(builder, tag, TAG_FORM, statement)
}

function writeList(
  builder: PlanBuilder,
  target: Model,
  form: Form | 'bare',
  statement: PairStatement,
): WriteValue {
  if (form !== 'bare') builder.use(target, form)
  const position = builder.loadByIds(
    async (ids, reader) => {
      const { byRow, texts } = await loadPairs(reader, target, form, statement(ids))
      const lists = new Map<number, string>()
      for (const [row, own] of byRow) {
        lists.set(row, `[${own.flatMap((id) => texts.get(id) ?? []).join(',')}]`)
      }
      return lists
    },
    [statement([])],
  )
  return (row, loaded) => loaded[position]?.get(Number(row[0])) ?? '[]'
}

async function loadPairs(reader: Reader, target: Model, form: Form | 'bare', statement: Sql) {
  const pairs = await reader.database.queryArrays(statement)
  const byRow = new Map<number, number[]>()
  const all = new Set<number>()
  for (const pair of pairs) {
    const [row, id] = pair.map(Number) as [number, number] // two columns are selected, both bigint
    const ids = byRow.get(row)
    if (ids) ids.push(id)
    else byRow.set(row, [id])
    all.add(id)
  }
  const texts: ReadonlyMap<number, string> =
    form === 'bare'
      ? new Map([...all].map((id) => [id, String(id)]))
      : await reader.nested(target, form, all)
  return { byRow, texts }
}

/** The model's own order of the rows `t`, or the one given. */
export function orderOf(service: Service, model: Model, declared?: readonly string[]): Order {
  if (!declared) {
    const { joins, terms } = compileOrder(service, model, undefined)
    return { joins: sql` ${joins}`, terms }
  }
  const column = columnOf(model, sql`t`)
  const terms = declared.map((term) =>
    term.startsWith('-') ? sql`${column(term.slice(1))} desc` : column(term),
  )
  return { joins: empty, terms: join([...terms, sql`t.id`]) }
}

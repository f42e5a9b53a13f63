import { invalid, type Messages } from '../../base/errors.ts'
import { parseUuid } from '../../read/query/parse-value.ts'
import { notAChoice, RefusedValue } from '../../read/query/refused-value.ts'
import { RelatedValues } from '../../read/query/related-values.ts'
import type { RowSecurity } from '../../read/query/row-security.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { identifier, join, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { ACTION_OF_EVENT } from './event-names.ts'

/** A filter of events by the objects that a record names: those of a model, found by one of its columns. */
interface RelationFilter {
  readonly model: string
  readonly by: string
}

/** Filters by related objects, by the name of their parameter. */
export type RelationFilters = Readonly<Record<string, RelationFilter>>

interface FilterContext {
  readonly service: Service
  readonly related: RelatedValues
}

/** Predicate over the change record `t`: one of the values matches. Throws RefusedValue. */
type CompileFilter = (context: FilterContext, values: readonly string[]) => Promise<Sql> | Sql

/** Filters that need no other models than the service's own. */
const OWN: Readonly<Record<string, CompileFilter>> = {
  object_type: ({ service }, values) => {
    for (const value of values) {
      if (!service.registry.models.get(value)?.has('changeLogging')) throw notAChoice(value)
    }
    return sql`t.changed_object_type = any(${values}::text[])`
  },
  event: (_, values) => {
    const actions = values.map((value) => {
      const action = ACTION_OF_EVENT.get(value)
      if (action === undefined) throw notAChoice(value)
      return action
    })
    return sql`t.action = any(${actions}::text[])`
  },
  request_id: (_, values) => sql`t.request_id = any(${values.map(parseUuid)}::uuid[])`,
  user: (context, values) => byUser(context, 'username', values),
  user_id: (context, values) => byUser(context, 'id', values),
  tag: (context, values) => byTag(context, 'slug', values),
  tag_id: (context, values) => byTag(context, 'id', values),
}

/** Names of the filters, except those by related objects. */
export const OWN_FILTERS: readonly string[] = Object.keys(OWN)

async function byUser({ service, related }: FilterContext, by: string, values: readonly string[]) {
  const ids = await related.idsOf(service.registry.model(SYSTEM.user), by, values)
  return sql`t.user_id = any(${ids}::bigint[])`
}

/** Change records contain the names of tags. */
async function byTag({ service, related }: FilterContext, by: string, values: readonly string[]) {
  const ids = await related.idsOf(service.registry.model(SYSTEM.tag), by, values)
  const names = sql`array(select tag.name from ${table(SYSTEM.tag)} tag where tag.id = any(${ids}::bigint[]))`
  return sql`((t.prechange_data->'tags')::jsonb ?| ${names} or (t.postchange_data->'tags')::jsonb ?| ${names})`
}

const byRelation =
  ({ model, by }: RelationFilter): CompileFilter =>
  async ({ service, related }, values) => {
    const target = service.registry.model(model)
    return namesObject(service.registry, target, await related.idsOf(target, by, values))
  }

/**
 * Predicate over the change record `t` for the filters among the parameters; undefined if there are none. Values of one
 * parameter are alternatives, and all parameters must match. Related objects that `security` hides cannot be named.
 * Throws `invalid` with a message for each parameter that cannot be used.
 */
export async function compileEventFilters(
  service: Service,
  security: RowSecurity,
  search: URLSearchParams,
  relations: RelationFilters,
): Promise<Sql | undefined> {
  const context = { service, related: new RelatedValues(service.database, security) }
  const compilers = new Map<string, CompileFilter>([
    ...Object.entries(OWN),
    ...Object.entries(relations).map(([name, filter]) => [name, byRelation(filter)] as const),
  ])
  const messages: Record<string, Messages> = {}
  const predicates = await Promise.all(
    [...compilers].map(async ([name, compile]) => {
      const values = search.getAll(name)
      if (values.length === 0) return []
      try {
        return [await compile(context, values)]
      } catch (error) {
        if (!(error instanceof RefusedValue)) throw error
        messages[name] = [error.message]
        return []
      }
    }),
  )
  if (Object.keys(messages).length > 0) throw invalid(messages)
  const all = predicates.flat()
  return all.length === 0 ? undefined : join(all, ' and ')
}

/**
 * Predicate over the change record `t`: its object is one of those with the ids, refers to one of them in its data
 * before or after the change, or is part of an object that now refers to one of them, such as an interface of a device
 * at a site.
 */
function namesObject(registry: Registry, target: Model, ids: readonly number[]): Sql {
  const logged = [...registry.models.values()].filter((model) => model.has('changeLogging'))
  const related = new Set(logged.flatMap((model) => relatedModels(registry, model)))
  return sql`(${join(
    [
      sql`(t.changed_object_type = ${target.name} and t.changed_object_id = any(${ids}::bigint[]))`,
      ...byForeignKeys(logged, target, ids),
      ...byGenericKeys(registry, logged, target, ids),
      ...[...related].flatMap((model) => byRelatedObject(model, target, ids)),
    ],
    ' or ',
  )})`
}

/** Foreign keys to the target, by the name under which records contain them. */
function byForeignKeys(models: readonly Model[], target: Model, ids: readonly number[]): readonly Sql[] {
  const keys = models.flatMap((model) => keysTo(model, target).map((key) => ({ key, model })))
  return [...Map.groupBy(keys, ({ key }) => key)].map(
    ([key, list]) => sql`(t.changed_object_type = any(${list.map(({ model }) => model.name)}::text[])
      and ${eitherPart((data) => sql`${data}->>${key}::text = any(${ids.map(String)}::text[])`)})`,
  )
}

/** Generic relations that may refer to the target; records name its type by an id. */
function byGenericKeys(
  registry: Registry,
  models: readonly Model[],
  target: Model,
  ids: readonly number[],
): readonly Sql[] {
  const relations = models.flatMap((model) =>
    [...model.steps.values()].flatMap((step) =>
      step.kind === 'genericTo' && step.to === target
        ? [{ model, type: step.typeColumn.key, id: step.idColumn.key }]
        : [],
    ),
  )
  const types = table(registry.model(SYSTEM.objectType))
  const type = sql`(select o.id::text from ${types} o where o.app_label = ${target.app} and o.model = ${target.key})`
  const byKeys = Map.groupBy(relations, (relation) => `${relation.type} ${relation.id}`)
  return [...byKeys.values()].flatMap((list) => {
    const [first] = list
    if (!first) return []
    const names = (data: Sql) => sql`(${data}->>${first.id}::text = any(${ids.map(String)}::text[])
      and ${data}->>${first.type}::text = ${type})`
    return [sql`(t.changed_object_type = any(${list.map(({ model }) => model.name)}::text[]) and ${eitherPart(names)})`]
  })
}

/** The related object of the record, such as the device of an interface, refers to one of the objects. */
const byRelatedObject = (model: Model, target: Model, ids: readonly number[]): readonly Sql[] =>
  columnsTo(model, target).map(
    (column) => sql`(t.related_object_type = ${model.name} and exists (
      select from ${table(model)} r
      where r.id = t.related_object_id and r.${identifier(column)} = any(${ids}::bigint[])))`,
  )

/** Models whose objects are related objects of the model's change records. */
function relatedModels(registry: Registry, { definition, fields }: Model): readonly Model[] {
  return [definition.changeRelates ?? []].flat().flatMap((name) => {
    const field = fields.get(name)
    if (field?.kind === 'foreignKey') return [registry.model(field.to)]
    return field?.kind === 'genericForeignKey' ? registry.targets(field) : []
  })
}

const foreignKeysTo = ({ columns }: Model, { name }: Model) =>
  [...columns.values()].filter(({ field }) => field.kind === 'foreignKey' && field.to === name)

const keysTo = (model: Model, target: Model): readonly string[] => foreignKeysTo(model, target).map(({ key }) => key)

const columnsTo = (model: Model, target: Model): readonly string[] =>
  foreignKeysTo(model, target).map(({ name }) => name)

/** The condition holds for the data before or after the change. */
const eitherPart = (condition: (data: Sql) => Sql): Sql =>
  sql`(${condition(sql`t.prechange_data`)} or ${condition(sql`t.postchange_data`)})`

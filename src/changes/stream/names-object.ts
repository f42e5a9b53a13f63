import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { identifier, join, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

/**
 * Predicate over the change record `t`: its object is one of those with the ids, refers to one of them in its data
 * before or after the change, or is part of an object that now refers to one of them, such as an interface of a device
 * at a site.
 */
export function namesObject(registry: Registry, target: Model, ids: readonly number[]): Sql {
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

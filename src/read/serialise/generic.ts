import type { GenericForeignKeyField, NestedProjection } from '../../schema/field.ts'
import { genericKeys } from '../../schema/generic-keys.ts'
import type { Model } from '../../schema/registry.ts'
import { genericProjection, withoutAliases } from './generic-projection.ts'
import type { ValueRenderer } from './plan.ts'
import type { PlanBuilder } from './plan-builder.ts'

/** The projection that the field declares for objects of the model. */
function declaredProjection(
  { form }: PlanBuilder,
  field: GenericForeignKeyField,
  model: Model,
): NestedProjection | undefined {
  const projection = field.projections?.[model.name]
  return projection === undefined || form.hasAliases ? projection : withoutAliases(projection)
}

/** The object that a generic relation refers to, whatever its model. */
export function genericRenderer(
  builder: PlanBuilder,
  name: string,
  field: GenericForeignKeyField,
  projection: NestedProjection | undefined,
): ValueRenderer {
  const keys = genericKeys(name, field)
  const typeIndex = builder.stored(keys.type)
  const idIndex = builder.stored(keys.id)
  const { models } = builder.service.registry
  const position = builder.loadByRows(async (rows, reader) => {
    const uses = new Map<number, { readonly model: Model; readonly id: number }>()
    for (const row of rows) {
      // A type without a model is left over from a removed plugin.
      const model = models.get(String(row[typeIndex]))
      if (model && row[idIndex] !== null) uses.set(Number(row[0]), { model, id: Number(row[idIndex]) })
    }
    const byModel = Map.groupBy(uses.values(), ({ model }) => model)
    const texts = new Map(
      await Promise.all(
        [...byModel].map(async ([model, list]) => {
          const ids = new Set(list.map(({ id }) => id))
          return [
            model,
            await reader.nested(
              model,
              projection ?? declaredProjection(builder, field, model) ?? genericProjection(model),
              ids,
            ),
          ] as const
        }),
      ),
    )
    return {
      get: (row) => {
        const use = uses.get(row)
        return use && texts.get(use.model)?.get(use.id)
      },
    }
  })
  return (row, loaded) => loaded[position]?.get(Number(row[0])) ?? 'null'
}

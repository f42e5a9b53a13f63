import type { GenericForeignKeyField, NestedProjection } from '../schema/field.ts'
import type { Model } from '../schema/registry.ts'
import { genericProjection } from './generic-projection.ts'
import type { WriteValue } from './plan.ts'
import type { PlanBuilder } from './plan-builder.ts'

/** The object that a generic relation points at, whatever its model. */
export function writeGeneric(
  builder: PlanBuilder,
  name: string,
  field: GenericForeignKeyField,
  projection: NestedProjection | undefined,
): WriteValue {
  const typeIndex = builder.stored(field.typeField ?? `${name}_type`)
  const idIndex = builder.stored(field.idField ?? `${name}_id`)
  const { models } = builder.service.registry
  builder.isTraceable = false
  const position = builder.loadByRows(async (rows, reader) => {
    const byModel = new Map<Model, { rows: number[]; ids: number[] }>()
    for (const row of rows) {
      // A type that no model has is left from something that is gone.
      const model = models.get(String(row[typeIndex]))
      if (!model || row[idIndex] === null) continue
      const group = byModel.get(model) ?? { rows: [], ids: [] }
      byModel.set(model, group)
      group.rows.push(Number(row[0]))
      group.ids.push(Number(row[idIndex]))
    }
    const texts = new Map<number, string>()
    await Promise.all(
      [...byModel].map(async ([model, group]) => {
        const nested = await reader.nested(
          model,
          projection ?? field.projections?.[model.name] ?? genericProjection(model),
          new Set(group.ids),
        )
        for (const [index, id] of group.ids.entries()) {
          const text = nested.get(id)
          const row = group.rows[index]
          if (text !== undefined && row !== undefined) texts.set(row, text)
        }
      }),
    )
    return texts
  })
  return (row, loaded) => loaded[position]?.get(Number(row[0])) ?? 'null'
}

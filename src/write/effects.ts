import type { Fields } from '../schema/field.ts'
import type { Model } from '../schema/registry.ts'
import type { Effect, RowOf } from '../schema/rule.ts'
import type { WriteContext } from './context.ts'

type EffectRow = Effect<Fields>['rows'][number]

/** Runs what follows from a write of the model's rows. */
export async function runEffects(
  context: WriteContext,
  model: Model,
  action: Effect<Fields>['action'],
  rows: readonly {
    readonly next: Readonly<Record<string, unknown>> | undefined
    readonly previous: Readonly<Record<string, unknown>> | undefined
  }[],
): Promise<void> {
  const effects = model.behaviour?.effects ?? []
  if (rows.length === 0) return
  for (const effect of effects) {
    await effect({
      action,
      rows: rows as readonly {
        next: RowOf<Fields>
        previous: RowOf<Fields>
      }[] as readonly EffectRow[], // rows of the model itself
      database: context.transaction,
      write: context.makeWriter(context),
      touch: ({ name }) => context.touched.add(name),
      settings: context.service.settings,
    })
  }
}

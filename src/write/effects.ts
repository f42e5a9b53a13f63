import type { Fields } from '../schema/field.ts'
import type { Model } from '../schema/registry.ts'
import type { Effect, EffectFunction, RowOf } from '../schema/rule.ts'
import type { WriteContext } from './context.ts'

type EffectRow = Effect<Fields>['rows'][number]

interface RowPair {
  readonly next: Readonly<Record<string, unknown>> | undefined
  readonly previous: Readonly<Record<string, unknown>> | undefined
}

/** Runs the effects of a write of the model's rows. */
export const runAfterWrite = (
  context: WriteContext,
  model: Model,
  action: Effect<Fields>['action'],
  rows: readonly RowPair[],
): Promise<void> => run(context, model.behaviour?.afterWrite ?? [], action, rows)

/** Saves the parts of the rows in other tables. */
export const runBeforeChangeRecord = (
  context: WriteContext,
  model: Model,
  action: Effect<Fields>['action'],
  rows: readonly RowPair[],
): Promise<void> => run(context, model.behaviour?.beforeChangeRecord ?? [], action, rows)

/** Runs the effects that need the rows of a deletion while they still exist. */
export const runBeforeDelete = (
  context: WriteContext,
  model: Model,
  rows: readonly RowPair[],
): Promise<void> => run(context, model.behaviour?.beforeDelete ?? [], 'delete', rows)

async function run(
  context: WriteContext,
  effects: readonly EffectFunction<Fields>[],
  action: Effect<Fields>['action'],
  rows: readonly RowPair[],
): Promise<void> {
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
      isModel: (name) => context.service.registry.models.has(name),
      settings: context.service.settings,
      origin: { by: context.actor.username, request: context.requestId },
      afterCommit: context.transaction.afterCommit,
    })
  }
}

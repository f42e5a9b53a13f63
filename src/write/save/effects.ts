import type { Fields } from '../../schema/field.ts'
import { isModelIn, type Model } from '../../schema/registry.ts'
import type { Effect, EffectFunction, RowOf } from '../../schema/rule.ts'
import type { WriteContext } from '../context.ts'
import { sendMessages } from '../record/messages.ts'
import { storedObjects } from '../stored-objects.ts'

type EffectRow = Effect<Fields>['rows'][number]

interface RowPair {
  readonly next: Readonly<Record<string, unknown>> | undefined
  readonly previous: Readonly<Record<string, unknown>> | undefined
}

interface WrittenRows {
  readonly model: Model
  readonly action: Effect<Fields>['action']
  readonly rows: readonly RowPair[]
}

/** Runs the effects of a write of the model's rows. */
export const runAfterWrite = (
  context: WriteContext,
  model: Model,
  action: Effect<Fields>['action'],
  rows: readonly RowPair[],
): Promise<void> => run(context, model.behaviour?.afterWrite ?? [], { model, action, rows })

/** Saves the parts of the rows that are stored in other tables. */
export const runBeforeChangeRecord = (
  context: WriteContext,
  model: Model,
  action: Effect<Fields>['action'],
  rows: readonly RowPair[],
): Promise<void> => run(context, model.behaviour?.beforeChangeRecord ?? [], { model, action, rows })

/** Runs the effects that need the rows of a deletion while they still exist. */
export const runBeforeDelete = (context: WriteContext, model: Model, rows: readonly RowPair[]): Promise<void> =>
  run(context, model.behaviour?.beforeDelete ?? [], { model, action: 'delete', rows })

const EVENT_TYPES = {
  create: 'object_created',
  update: 'object_updated',
  delete: 'object_deleted',
  restore: 'object_created',
} as const

async function run(
  context: WriteContext,
  effects: readonly EffectFunction<Fields>[],
  { model, action, rows }: WrittenRows,
): Promise<void> {
  if (rows.length === 0) return
  const written = rows.flatMap(({ next }) => (next ? [Number(next.id)] : []))
  for (const effect of effects) {
    await effect({
      action,
      rows: rows as readonly {
        next: RowOf<Fields>
        previous: RowOf<Fields>
      }[] as readonly EffectRow[], // rows of the model itself
      database: context.transaction,
      write: context.makeWriter(context),
      stored: storedObjects(context.service, context.transaction),
      describe: () => context.journal.describe(model, written, EVENT_TYPES[action]),
      isModel: isModelIn(context.service.registry),
      settings: context.service.settings,
      origin: { by: context.actor.username, request: context.requestId },
      notify: (messages) => sendMessages(context, messages),
      atEnd: (name, items, work) => {
        const ending = context.endings.get(name)
        if (ending) ending.parts.push(items)
        else context.endings.set(name, { parts: [items], work })
      },
      afterCommit: context.transaction.afterCommit,
    })
  }
}

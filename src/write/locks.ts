import type { Model } from '../schema/registry.ts'
import { volatile } from '../sql/fragment.ts'
import type { WriteContext } from './context.ts'

/**
 * Takes the model's lock, if it has one, until the end of the transaction: writes to a tree are serialised (two
 * concurrent moves could create a cycle), and so are those of models that name a lock.
 */
export async function takeLock(context: WriteContext, model: Model): Promise<void> {
  const lock = lockOf(model)
  if (lock !== undefined) await takeNamedLock(context, lock)
}

const lockOf = ({ name, definition: { lock, tree } }: Model): string | undefined =>
  lock ?? (tree ? name : undefined)

/** Takes the lock for allocating free objects of a model; the lock of all writes, if the model has one. */
export const takeAllocationLock = (context: WriteContext, model: Model): Promise<void> =>
  takeNamedLock(context, model.definition.lock ?? model.name)

/**
 * Takes the locks of the models, and those that serialise the writes which create an object only where none matches: one statement, in
 * the order of the models.
 */
export async function takeUpsertLocks(
  { transaction }: WriteContext,
  models: readonly Model[],
): Promise<void> {
  const locks = models.flatMap((model) => [lockOf(model) ?? [], `match ${model.name}`].flat())
  await transaction.query(volatile`
    select pg_advisory_xact_lock(hashtextextended('cadastre ' || lock, 0))
    from unnest(${locks}::text[]) as lock`)
}

async function takeNamedLock({ transaction }: WriteContext, lock: string): Promise<void> {
  await transaction.query(
    volatile`select pg_advisory_xact_lock(hashtextextended(${`cadastre ${lock}`}, 0))`,
  )
}

import type { Model } from '../schema/registry.ts'
import { volatile } from '../sql/fragment.ts'
import type { WriteContext } from './context.ts'

/**
 * Takes the model's lock until the end of the transaction, where it has one: writes to a tree go one
 * after the other (two moves at once could make a cycle), and so do those of models that name a lock.
 */
export async function takeLock(context: WriteContext, model: Model): Promise<void> {
  const { lock, tree } = model.definition
  if (lock !== undefined) await takeNamedLock(context, lock)
  else if (tree) await takeNamedLock(context, model.name)
}

/** Takes the lock under which what is free of a model is handed out; that of all writes, where it has one. */
export const takeAllocationLock = (context: WriteContext, model: Model): Promise<void> =>
  takeNamedLock(context, model.definition.lock ?? model.name)

async function takeNamedLock({ transaction }: WriteContext, lock: string): Promise<void> {
  await transaction.query(
    volatile`select pg_advisory_xact_lock(hashtextextended(${`cadastre ${lock}`}, 0))`,
  )
}

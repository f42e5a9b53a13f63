import type { Model } from '../schema/registry.ts'
import { volatile } from '../sql/fragment.ts'
import type { WriteContext } from './context.ts'

/**
 * Takes the model's lock, if it has one, until the end of the transaction: writes to a tree are serialised (two
 * concurrent moves could create a cycle), and so are those of models that name a lock.
 */
export async function takeLock(context: WriteContext, model: Model): Promise<void> {
  const { lock, tree } = model.definition
  if (lock !== undefined) await takeNamedLock(context, lock)
  else if (tree) await takeNamedLock(context, model.name)
}

/** Takes the lock for allocating free objects of a model; the lock of all writes, if the model has one. */
export const takeAllocationLock = (context: WriteContext, model: Model): Promise<void> =>
  takeNamedLock(context, model.definition.lock ?? model.name)

/** Serialises the writes that create an object only where none matches. */
export const takeMatchLock = (context: WriteContext, model: Model): Promise<void> =>
  takeNamedLock(context, `match ${model.name}`)

async function takeNamedLock({ transaction }: WriteContext, lock: string): Promise<void> {
  await transaction.query(
    volatile`select pg_advisory_xact_lock(hashtextextended(${`cadastre ${lock}`}, 0))`,
  )
}

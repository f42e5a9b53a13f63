import type { Model } from '../../schema/registry.ts'
import { volatile } from '../../sql/fragment.ts'
import type { WriteContext } from '../context.ts'

/**
 * Takes the model's lock, if it has one, until the end of the transaction. It serialises writes to a tree (two
 * concurrent moves could create a cycle), and those of models that name a lock. The statement is sent together with the
 * next one of the transaction, which runs once the lock is held and sees what the previous writer has committed.
 */
export function takeLock(context: WriteContext, model: Model): void {
  const lock = lockOf(model)
  if (lock !== undefined) takeNamedLock(context, lock)
}

const lockOf = ({ name, definition: { lock, tree } }: Model): string | undefined => lock ?? (tree ? name : undefined)

/** Takes the lock for allocating free objects of a model; the lock of all writes, if the model has one. */
export const takeAllocationLock = (context: WriteContext, model: Model): void =>
  takeNamedLock(context, model.definition.lock ?? model.name)

/**
 * Takes the locks of the models, and the locks for writes that create an object only if none matches: one statement, in
 * the order of the models.
 */
export function takeUpsertLocks({ transaction }: WriteContext, models: readonly Model[]): void {
  const locks = models.flatMap((model) => [lockOf(model) ?? [], `match ${model.name}`].flat())
  transaction.send(volatile`
    select pg_advisory_xact_lock(hashtextextended('cadastre ' || lock, 0))
    from unnest(${locks}::text[]) as lock`)
}

function takeNamedLock({ transaction }: WriteContext, lock: string): void {
  transaction.send(volatile`select pg_advisory_xact_lock(hashtextextended(${`cadastre ${lock}`}, 0))`)
}

import type { Model, Registry } from '../../schema/registry.ts'
import type { AnyRow, Refusal } from '../../schema/rule.ts'
import type { WriteContext } from '../context.ts'

/** An object that validators judge. */
interface JudgedObject {
  readonly model: Model
  readonly row: AnyRow
  readonly isNew: boolean
}

/** What the named classes refuse, by object; an empty refusal if nothing. */
export type Validators = (
  context: WriteContext,
  names: readonly string[],
  objects: readonly JudgedObject[],
) => Promise<readonly Refusal[]>

const registered = new WeakMap<Registry, Validators>()

/** Lets writes ask the validators in Python that CUSTOM_VALIDATORS names. */
export function registerValidators(registry: Registry, validators: Validators): void {
  registered.set(registry, validators)
}

/** The validators in Python; undefined in programs that do not run Python. */
export const validatorsOf = (registry: Registry): Validators | undefined => registered.get(registry)

import type { Model } from './registry.ts'

/** A value derived from a declaration alone: computed at first use and cached with the model. */
export function oncePerModel<T extends {}>(make: (model: Model) => T): (model: Model) => T {
  const made = new WeakMap<Model, T>()
  return (model) => {
    const known = made.get(model)
    if (known !== undefined) return known
    const fresh = make(model)
    made.set(model, fresh)
    return fresh
  }
}

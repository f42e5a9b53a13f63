import type { Model } from '../schema/registry.ts'

/** A constraint that does not fit the model; the message is for its author. */
export class InvalidConstraint extends Error {
  override readonly name = 'InvalidConstraint'
  /** The name that a model does not have, if that is the reason. */
  readonly unknown: { readonly model: Model; readonly name: string } | undefined

  constructor(message: string, unknown?: InvalidConstraint['unknown']) {
    super(message)
    this.unknown = unknown
  }
}

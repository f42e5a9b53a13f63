/** A constraint that does not fit the model; the message is for whoever wrote it. */
export class InvalidConstraint extends Error {
  override readonly name = 'InvalidConstraint'
}

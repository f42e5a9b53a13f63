/** A constraint that does not fit the model; the message is for its author. */
export class InvalidConstraint extends Error {
  override readonly name = 'InvalidConstraint'
}

/** A parameter's value that cannot be used, with the message for the client. */
export class RefusedValue extends Error {
  override readonly name = 'RefusedValue'
}

/** The refusal of a value that is not allowed. */
export const notAChoice = (value: string): RefusedValue =>
  new RefusedValue(`Select a valid choice. ${value} is not one of the available choices.`)

/** A refused login by a provider; the message is for the person who tried. */
export class LoginRefusal extends Error {
  override readonly name = 'LoginRefusal'
}

/** The message that the person sees, with its cause: for the audit log. */
export const reasonOf = ({ message, cause }: LoginRefusal): string =>
  cause instanceof Error ? `${message} (${cause.message})` : message

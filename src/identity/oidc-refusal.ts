/** A refused login by a provider; the message is for the person who tried. */
export class OidcRefusal extends Error {
  override readonly name = 'OidcRefusal'
}

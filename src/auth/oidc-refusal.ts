/** A provider's login came to nothing; the message is for the person who tried. */
export class OidcRefusal extends Error {
  override readonly name = 'OidcRefusal'
}

/** The source service cannot be used, or refuses. The message is one sentence for people. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
}

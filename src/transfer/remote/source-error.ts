/** The source service cannot be used, or refuses. The message is one sentence for people. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
  /** Status of the last response to a request that failed in all attempts. */
  readonly status: number | undefined

  constructor(message: string, status?: number) {
    super(message)
    this.status = status
  }
}

const COMMA = Buffer.from(',')

/** The documents with a comma before each, except before the first of a list. */
const withCommas = (documents: readonly Uint8Array[], isBeginning: boolean): Uint8Array[] =>
  documents.flatMap((document, index) => (isBeginning && index === 0 ? [document] : [COMMA, document]))

/** JSON list of JSON texts, between `before` and `after`. One buffer, into which each document is copied once. */
export const jsonList = (documents: readonly Uint8Array[], before = '', after = ''): Buffer =>
  Buffer.concat([Buffer.from(`${before}[`), ...withCommas(documents, true), Buffer.from(`]${after}`)])

/** As `jsonList`, for a list that is too long to be built at once: `first`, followed by the batches of `others`. */
export async function* jsonParts(
  first: readonly Uint8Array[],
  batches: AsyncIterable<readonly Uint8Array[]>,
  before: string,
  after: string,
): AsyncGenerator<Uint8Array> {
  yield Buffer.concat([Buffer.from(`${before}[`), ...withCommas(first, true)])
  let isBeginning = first.length === 0
  for await (const documents of batches) {
    yield Buffer.concat(withCommas(documents, isBeginning))
    isBeginning &&= documents.length === 0
  }
  yield Buffer.from(`]${after}`)
}

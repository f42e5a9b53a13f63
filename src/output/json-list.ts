const COMMA = Buffer.from(',')

/**
 * Documents that are JSON already, as a list; `before` and `after` are what stands around it. In one piece,
 * each document copied once.
 */
export const jsonList = (documents: readonly Uint8Array[], before = '', after = ''): Buffer =>
  Buffer.concat([
    Buffer.from(`${before}[`),
    ...documents.flatMap((document, index) => (index === 0 ? [document] : [COMMA, document])),
    Buffer.from(`]${after}`),
  ])

/** As `jsonList`, for a list that is too long to be made at once: `first`, and what `others` bring one after the other. */
export async function* jsonParts(
  first: readonly Uint8Array[],
  others: AsyncIterable<readonly Uint8Array[]>,
  before: string,
  after: string,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${before}[`)
  let isFirst = true
  const joined = (documents: readonly Uint8Array[]): Buffer => {
    const pieces = documents.flatMap((document) => {
      const piece = isFirst ? [document] : [COMMA, document]
      isFirst = false
      return piece
    })
    return Buffer.concat(pieces)
  }
  yield joined(first)
  for await (const documents of others) yield joined(documents)
  yield Buffer.from(`]${after}`)
}

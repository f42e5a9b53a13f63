/** Supported content codings, best first: zstd takes half of gzip's time and compresses better. */
const CODINGS = ['zstd', 'gzip'] as const

export type Coding = (typeof CODINGS)[number]

/**
 * The content coding that `Accept-Encoding` prefers (RFC 9110 §12.5.3); undefined for an uncompressed body. A client
 * without the header may be sent any coding, but usually cannot decode one.
 */
export function codingFor(acceptEncoding: string | undefined): Coding | undefined {
  if (acceptEncoding === undefined || acceptEncoding === '') return undefined
  const weights = weightsOf(acceptEncoding)
  const any = weights.get('*')
  // Unnamed codings come after all named ones.
  let most = weights.get('identity') ?? 0
  let best: Coding | undefined
  for (const coding of CODINGS) {
    // `*` selects gzip only: clients that send it may not support zstd.
    const weight = weights.get(coding) ?? (coding === 'gzip' ? any : undefined) ?? 0
    const isBetter = best === undefined ? weight >= most : weight > most
    if (weight === 0 || !isBetter) continue
    most = weight
    best = coding
  }
  return best
}

/** Codings by name with their weights, 0 to 1. An invalid weight counts as 0. */
const weightsOf = (header: string): ReadonlyMap<string, number> =>
  new Map(
    header.split(',').map((coding) => {
      const [name = '', ...parameters] = coding.split(';').map((word) => word.trim().toLowerCase())
      const weight = parameters.find((word) => word.startsWith('q='))
      return [name, weight === undefined ? 1 : Number(weight.slice('q='.length)) || 0]
    }),
  )

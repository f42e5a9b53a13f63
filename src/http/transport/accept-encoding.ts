/** The content codings that we have, the best first: zstd takes half of gzip's time and makes less of the same text. */
const CODINGS = ['zstd', 'gzip'] as const

export type Coding = (typeof CODINGS)[number]

/**
 * The coding that `Accept-Encoding` likes best (RFC 9110 §12.5.3); undefined where the body is to go as
 * it is. A client that says nothing may be sent anything, but is mostly one that cannot decode.
 */
export function codingFor(acceptEncoding: string | undefined): Coding | undefined {
  if (acceptEncoding === undefined || acceptEncoding === '') return undefined
  const weights = weightsOf(acceptEncoding)
  const any = weights.get('*')
  // What is not named comes after all that is.
  let most = weights.get('identity') ?? 0
  let best: Coding | undefined
  for (const coding of CODINGS) {
    // Who accepts whatever there is may never have heard of the newer one.
    const weight = weights.get(coding) ?? (coding === 'gzip' ? any : undefined) ?? 0
    const isBetter = best === undefined ? weight >= most : weight > most
    if (weight === 0 || !isBetter) continue
    most = weight
    best = coding
  }
  return best
}

/** Codings by name with their weights, 0 to 1. A weight that is no number counts as a refusal. */
const weightsOf = (header: string): ReadonlyMap<string, number> =>
  new Map(
    header.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase())
      const weight = parameters.find((each) => each.startsWith('q='))
      return [name, weight === undefined ? 1 : Number(weight.slice('q='.length)) || 0]
    }),
  )

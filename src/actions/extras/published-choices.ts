/** Value and label. */
export type ChoicePair = readonly [string, string]

/** Lists that others publish, read when they are first asked for. */
const LISTS: Readonly<Record<string, () => Promise<readonly ChoicePair[]>>> = {
  IATA: async () => {
    // CommonJS: Node sees no names in it, only a default.
    const { default: data } = await import('airport-data-js')
    const airports = new Map<string, string>()
    for (const { iata, airport, country_code: country } of await data.findAirports({})) {
      if (iata !== '') airports.set(iata, `${iata} (${airport}, ${country})`)
    }
    return byCode([...airports])
  },
  ISO_3166: async () => {
    const { iso31661 } = await import('iso-3166')
    return byCode(iso31661.map(({ alpha2, name }) => [alpha2, `${alpha2} (${name})`]))
  },
}

const byCode = (pairs: readonly ChoicePair[]): readonly ChoicePair[] =>
  pairs.toSorted(([one], [other]) => (one < other ? -1 : 1))

const read = new Map<string, Promise<readonly ChoicePair[]>>()

/** The choices of a published list, by their codes; none for a list that nobody publishes as a package. */
export function publishedChoices(name: string | null): Promise<readonly ChoicePair[]> {
  const list = name === null ? undefined : LISTS[name]
  if (name === null || !list) return Promise.resolve([])
  const known = read.get(name) ?? list()
  read.set(name, known)
  return known
}

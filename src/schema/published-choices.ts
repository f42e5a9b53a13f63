/** Value and label. */
export type ChoicePair = readonly [value: string, label: string]

/** The choices of a set of custom fields: those of the published list that it is based on, and its own. */
export const choicesOf = async (
  base: string | null,
  extra: readonly ChoicePair[] | null,
): Promise<readonly ChoicePair[]> => [...(await publishedChoices(base)), ...(extra ?? [])]

/** Lists from published packages, loaded on first use. */
const LISTS: Readonly<Record<string, () => Promise<readonly ChoicePair[]>>> = {
  IATA: async () => {
    // A CommonJS module: Node exposes only its default export.
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
  pairs.toSorted(([left], [right]) => (left < right ? -1 : 1))

const read = new Map<string, Promise<readonly ChoicePair[]>>()

/** Choices of a published list; empty for a list that no package provides. */
function publishedChoices(name: string | null): Promise<readonly ChoicePair[]> {
  const list = name === null ? undefined : LISTS[name]
  if (name === null || !list) return Promise.resolve([])
  const choices = read.get(name) ?? list()
  read.set(name, choices)
  return choices
}

import { sql } from '../../../sql/fragment.ts'
import type { Action, ActionRequest } from '../action.ts'
import { listPage, PAGE_PARAMETERS, pageOf } from '../list-page.ts'
import { findTarget } from '../target.ts'

async function list(request: ActionRequest) {
  const set = await findTarget<{
    base: string | null
    extra: readonly ChoicePair[] | null
    isSorted: boolean
  }>(request, 'extras.customfieldchoiceset', {
    columns: sql`, t.base_choices as base, t.extra_choices as extra, t.order_alphabetically as "isSorted"`,
  })
  const all = [...(await publishedChoices(set.base)), ...(set.extra ?? [])]
  if (set.isSorted) all.sort(([one], [other]) => (one < other ? -1 : 1))
  const search = request.search.getAll('q').at(-1)?.toLowerCase() ?? ''
  const matching = all.filter((pair) => pair.some((text) => text.toLowerCase().includes(search)))
  return listPage(request, matching, ([id, display]) => JSON.stringify({ id, display }))
}

/** Values of a choice set, published ones first; `q` filters by part of a value or label. */
export const customFieldChoices: Action = {
  path: 'extras/custom-field-choice-sets/:id/choices',
  title: 'Custom Field Choice Set',
  methods: {
    GET: {
      permission: { view: 'extras.customfieldchoiceset' },
      parameters: [{ in: 'query', name: 'q', schema: { type: 'string' } }, ...PAGE_PARAMETERS],
      answer: pageOf({
        type: 'object',
        properties: { id: { type: 'string' }, display: { type: 'string' } },
      }),
      handle: list,
    },
  },
}

/** Value and label. */
type ChoicePair = readonly [string, string]

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
  pairs.toSorted(([one], [other]) => (one < other ? -1 : 1))

const read = new Map<string, Promise<readonly ChoicePair[]>>()

/** Choices of a published list; empty for a list that no package provides. */
function publishedChoices(name: string | null): Promise<readonly ChoicePair[]> {
  const list = name === null ? undefined : LISTS[name]
  if (name === null || !list) return Promise.resolve([])
  const choices = read.get(name) ?? list()
  read.set(name, choices)
  return choices
}

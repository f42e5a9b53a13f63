import { lastValue } from '../../../read/query/last-value.ts'
import { type ChoicePair, choicesOf } from '../../../schema/published-choices.ts'
import { sql } from '../../../sql/fragment.ts'
import type { ApiRequest } from '../../api-request.ts'
import type { Action } from '../action.ts'
import { listResponse, PAGE_PARAMETERS, pageOf } from '../list-response.ts'
import { findTarget } from '../target.ts'

async function list(request: ApiRequest) {
  const set = await findTarget<{
    base: string | null
    extra: readonly ChoicePair[] | null
    isSorted: boolean
  }>(request, 'extras.customfieldchoiceset', {
    columns: sql`, t.base_choices as base, t.extra_choices as extra, t.order_alphabetically as "isSorted"`,
  })
  const choices = await choicesOf(set.base, set.extra)
  const all = set.isSorted ? choices.toSorted(([left], [right]) => (left < right ? -1 : 1)) : choices
  const search = lastValue(request.search, 'q')?.toLowerCase() ?? ''
  const matching = all.filter((pair) => pair.some((text) => text.toLowerCase().includes(search)))
  return listResponse(request, matching, ([id, display]) => JSON.stringify({ id, display }))
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

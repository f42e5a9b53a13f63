import { sql } from '../../sql/fragment.ts'
import type { Row } from '../../sql/queryable.ts'
import { type Action, type ActionAnswer, type ActionRequest, listOf } from '../action.ts'
import { listPage, PAGE_PARAMETERS } from '../list-page.ts'
import { findTarget } from '../target.ts'

interface ChoiceSetRow extends Row {
  /** Pairs of value and label, in the order in which they are offered. */
  readonly extra_choices: readonly (readonly [string, string])[] | null
}

/**
 * The choices of a set, for people who search as they type: `q` is part of a value or a label. Of a set
 * with a published base list only the set's own choices are known here (docs/differences.md).
 */
async function choices(request: ActionRequest): Promise<ActionAnswer> {
  const { extra_choices: own } = await findTarget<ChoiceSetRow>(
    request,
    'extras.customfieldchoiceset',
    { columns: sql`, t.extra_choices` },
  )
  const wanted = request.search.getAll('q').at(-1)?.toLowerCase() ?? ''
  const found = (own ?? []).filter((pair) =>
    pair.some((text) => text.toLowerCase().includes(wanted)),
  )
  return listPage(request, found, ([id, display]) => JSON.stringify({ id, display }))
}

export const customFieldChoices: Action = {
  path: 'extras/custom-field-choice-sets/:id/choices',
  title: 'Custom Field Choice Set',
  methods: {
    GET: {
      permission: { view: 'extras.customfieldchoiceset' },
      parameters: [{ in: 'query', name: 'q', schema: { type: 'string' } }, ...PAGE_PARAMETERS],
      answer: listOf({
        type: 'object',
        properties: { id: { type: 'string' }, display: { type: 'string' } },
      }),
      handle: choices,
    },
  },
}

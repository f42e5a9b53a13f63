import { definedCustomFields } from '../../read/query/custom-field-parameters.ts'
import { dateValueOf, isCustomDate } from '../../read/query/date-fields.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { WriteContext } from '../context.ts'
import { addRefusal, type Draft } from '../draft.ts'

/** What decides whether a rule's date exists; the rest of a rule whose date is gone can still be changed. */
const DECIDING = ['date_field', 'object_types'] as const

/** Whether the write chooses the date or the types, or switches the rule on. */
const choosesDate = ({ next, previous }: Draft): boolean =>
  !previous ||
  (next.enabled === true && previous.enabled !== true) ||
  DECIDING.some((name) => JSON.stringify(next[name]) !== JSON.stringify(previous[name]))

/**
 * Refuses event rules whose date is not a date or timestamp of each of their object types. A rule whose date has been
 * removed since can be renamed or switched off.
 */
export async function checkDateRules({ service, transaction }: WriteContext, drafts: readonly Draft[]): Promise<void> {
  if (drafts[0]?.model.name !== SYSTEM.eventRule) return
  const dated = drafts.filter((draft) => draft.next.date_field !== '' && choosesDate(draft))
  const isCustom = dated.some(({ next }) => isCustomDate(String(next.date_field)))
  const customFields = isCustom ? await definedCustomFields(transaction) : []
  for (const draft of dated) {
    const name = String(draft.next.date_field)
    const types = draft.next.object_types as readonly string[] // a list of object types
    const without = types.find((type) => {
      const model = service.registry.models.get(type)
      return !model || !dateValueOf(model, name, customFields)
    })
    if (without !== undefined) {
      addRefusal(draft, { date_field: `Objects of the type ${without} have no date or timestamp "${name}".` })
    }
  }
}

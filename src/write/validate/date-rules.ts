import { definedCustomFields } from '../../read/query/custom-field-parameters.ts'
import { dateValueOf, isCustomDate } from '../../read/query/date-fields.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { WriteContext } from '../context.ts'
import { addRefusal, type Draft } from '../draft.ts'

/** Refuses event rules whose date is not a date or timestamp of each of their object types. */
export async function checkDateRules({ service, transaction }: WriteContext, drafts: readonly Draft[]): Promise<void> {
  if (drafts[0]?.model.name !== SYSTEM.eventRule) return
  const dated = drafts.filter(({ next }) => next.date_field !== '')
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

import { projectionOf } from '../../read/serialise/projection.ts'
import { fetchObjects } from '../../read/serialise/read-objects.ts'
import { dataWithin } from '../../read/serialise/read-source.ts'
import type { CustomFieldDefinition } from '../../schema/custom-value.ts'
import type { ComputedField } from '../../schema/field.ts'
import { isJsonObject, type Json } from '../../schema/json.ts'
import type { WriteContext } from '../context.ts'
import type { Draft } from '../draft.ts'
import { isSameRow } from '../record/changed-fields.ts'
import { settleCustomFields } from '../validate/custom-fields.ts'

/** The drafts that would change nothing; their references are resolved. */
export async function unchangedDrafts(
  context: WriteContext,
  drafts: readonly Draft[],
  customFields: readonly CustomFieldDefinition[],
): Promise<ReadonlySet<Draft>> {
  for (const draft of drafts) if (draft.customFields) settleCustomFields(customFields, draft)
  const same = drafts.filter((draft) => draft.errors.size === 0 && isSameRow(draft.model, draft))
  const inputs = await shownInputs(context, same)
  return new Set(
    same.filter((draft) =>
      inputsOf(draft).every(
        ([name]) => JSON.stringify(draft.next[name]) === JSON.stringify(inputs.get(draft.next.id)?.[name] ?? null),
      ),
    ),
  )
}

type Input = NonNullable<ComputedField['input']>

/** Sent fields that are stored elsewhere, such as the ends of a cable. */
const inputsOf = ({ model, sent }: Draft): readonly (readonly [string, Input])[] =>
  [...sent].flatMap((name) => {
    const field = model.fields.get(name)
    return field && 'input' in field && field.input ? [[name, field.input] as const] : []
  })

/** The values of these fields in the form of bodies, by id: read as the API shows them. */
async function shownInputs(
  context: WriteContext,
  drafts: readonly Draft[],
): Promise<ReadonlyMap<number, Readonly<Record<string, unknown>>>> {
  const inputs = new Map(drafts.flatMap(inputsOf))
  const model = drafts[0]?.model
  if (!model || inputs.size === 0) return new Map()
  const { service, transaction } = context
  const projection = projectionOf(service, model, {
    ...{ fields: ['id', ...inputs.keys()], brief: false, excludeContext: false },
  })
  const ids = drafts.filter((draft) => inputsOf(draft).length > 0).map(({ next }) => next.id)
  const texts = await fetchObjects(dataWithin(service, transaction), ids, projection, '')
  return new Map(
    [...texts].map(([id, text]) => {
      const object = JSON.parse(text) as Json // written by the serialiser
      const values = [...inputs].map(([name, input]) => {
        const outcome = input(isJsonObject(object) ? object[name] : null)
        return [name, 'value' in outcome ? outcome.value : undefined] as const
      })
      return [id, Object.fromEntries(values)]
    }),
  )
}

import { holdsCustomValues } from '../../read/query/held-custom-values.ts'
import { type CustomFieldDefinition, isEmpty } from '../../schema/custom-value.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { WriteContext } from '../context.ts'
import { addRefusal, type Draft } from '../draft.ts'
import { findUniqueConflicts } from './unique-conflicts.ts'

/** Values of the object's custom fields after the write. */
export const customValuesOf = ({ next }: Draft): Readonly<Record<string, unknown>> =>
  (next.custom_fields ?? {}) as Readonly<Record<string, unknown>> // set by settleCustomFields

/** Refuses values of a custom field that other objects have. One query for the batch; values within the batch are compared with each other too. */
export async function checkUniqueValues(
  context: WriteContext,
  { name }: CustomFieldDefinition,
  drafts: readonly Draft[],
): Promise<void> {
  const model = drafts[0]?.model
  const candidates = drafts
    .map((draft) => ({ draft, value: customValuesOf(draft)[name] }))
    .filter(({ value }) => !isEmpty(value) && !isEmptyList(value))
    .map(({ draft, value }) => ({ draft, text: JSON.stringify(value) }))
  if (!model || candidates.length === 0) return
  const texts = candidates.map(({ text }) => text)
  const ids = drafts.map(({ next }) => next.id)
  // `offset 0`: as in unique-statement.ts.
  const conflicts = await findUniqueConflicts(
    context,
    sql`
    select q.position::int - 1
    from unnest(${texts}::text[]) with ordinality as q(value, position)
    where exists (
      select from ${table(model)} t
      where t.custom_field_data -> ${name}::text = q.value::jsonb and t.id <> all(${ids}::bigint[])
        and ${holdsCustomValues(sql`t`, sql`jsonb_strip_nulls(jsonb_build_object(${name}::text, q.value::jsonb))`)}
      offset 0)`,
  )
  const seen = new Set<string>()
  candidates.forEach(({ draft, text }, position) => {
    if (conflicts.disclosable.has(String(position)) || seen.has(text)) {
      addRefusal(draft, { __all__: `Custom field '${name}' must have a unique value.` })
    } else if (conflicts.all.has(String(position))) {
      addRefusal(draft, { __all__: `Custom field '${name}' cannot have this value.` })
    }
    seen.add(text)
  })
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

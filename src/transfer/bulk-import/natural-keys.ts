import { type NaturalKey, naturalKeys } from '../../schema/natural-key.ts'
import type { Model } from '../../schema/registry.ts'
import type { WriteContext } from '../../write/context.ts'
import type { PendingReference } from '../../write/draft.ts'
import { resolvePending } from '../../write/parse/references.ts'
import type { ImportRow } from './import-row.ts'

/**
 * Sets the ids of rows whose unique values belong to an existing object. Rows that already name their object are
 * skipped.
 */
export async function matchNaturalKeys(context: WriteContext, model: Model, rows: readonly ImportRow[]): Promise<void> {
  const keys = naturalKeys(model)
  const references = rows.flatMap((row): PendingReference[] => {
    const attributes = row.id === undefined ? attributesOf(keys, row) : undefined
    if (!attributes) return []
    return [
      {
        to: model,
        items: [{ attributes }],
        settle: ([id]) => {
          row.id = id
        },
        refuse: (messages, { isAmbiguous }) => {
          if (isAmbiguous) {
            row.problems.push({ row: row.row, message: [messages].flat().join(' ') })
          }
        },
      },
    ]
  })
  await resolvePending(context, references)
}

/** Attributes of the first key for which the row has all values. */
function attributesOf(keys: readonly NaturalKey[], { body }: ImportRow): Readonly<Record<string, unknown>> | undefined {
  const has = (name: string): boolean => body[name] !== undefined && body[name] !== null
  const key = keys.find(({ fields, absent }) => fields.every(has) && !absent.some((name) => has(name)))
  if (!key) return undefined
  return Object.fromEntries([
    ...key.fields.map((name) => [name, body[name]] as const),
    ...key.absent.map((name) => [name, null] as const),
  ])
}

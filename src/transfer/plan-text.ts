import { isJsonObject, type Json, type JsonObject, parseJson } from '../schema/json.ts'
import type { AppliedPlan } from './apply-files.ts'

/** Whether the plan creates, changes or deletes an object. */
export const hasChanges = ({ counts }: AppliedPlan): boolean => counts.created + counts.updated + counts.deleted > 0

const SIGNS = { created: '+', changed: '~', deleted: '-' } as const

/** The plan in the form of a diff: one line per object, its changed values below it, and a summary line. */
export function planText({ effects, counts }: AppliedPlan, dryRun: boolean): string {
  const values = changedValues(effects.records)
  const lines = (['created', 'changed', 'deleted'] as const).flatMap((kind) =>
    effects[kind].flatMap(({ type, id, display, fields }) => {
      const { before = {}, after = {} } = values.get(`${type} ${id}`) ?? {}
      const title = [SIGNS[kind], type, display].join(' ')
      return [title, ...(fields ?? []).flatMap((name) => valueLines(name, before, after))]
    }),
  )
  const { created, changed, deleted } = effects
  const verb = dryRun ? 'would be' : 'were'
  return [
    ...lines,
    `${created.length} objects ${verb} created, ${changed.length} changed, ${deleted.length} deleted; ${counts.unchanged} of the document are unchanged.`,
  ].join('\n')
}

interface Values {
  readonly before: JsonObject
  readonly after: JsonObject
}

/** The values of changed objects before their first and after their last change record. */
function changedValues(records: AppliedPlan['effects']['records']): ReadonlyMap<string, Values> {
  const values = new Map<string, Values>()
  for (const { action, type, id, before, after } of records) {
    if (action !== 'update') continue
    const key = `${type} ${id}`
    const first = values.get(key)?.before ?? (parseJson(before) as JsonObject) // a snapshot
    values.set(key, { before: first, after: parseJson(after) as JsonObject }) // likewise
  }
  return values
}

/**
 * The value of a field before and after; only its name if records do not contain the value. For an object, such as
 * custom fields, only the differences.
 */
function valueLines(name: string, before: JsonObject, after: JsonObject): readonly string[] {
  const [left, right] = [before[name], after[name]]
  if (left === undefined && right === undefined) return [`      ${name}`]
  if (!isJsonObject(left) || !isJsonObject(right)) return difference(name, left ?? null, right ?? null)
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].flatMap((key) =>
    difference(`${name}.${key}`, left[key] ?? null, right[key] ?? null),
  )
}

function difference(name: string, before: Json, after: Json): readonly string[] {
  const [left, right] = [JSON.stringify(before), JSON.stringify(after)]
  return left === right ? [] : [`    - ${name}: ${left}`, `    + ${name}: ${right}`]
}

import type { Fields } from '../../schema/field.ts'
import type { Definition } from '../../schema/model.ts'
import type { Change, Refusal } from '../../schema/rule.ts'

/**
 * Check of the API that the object of `type` and `id` exists and that the user may view it: the error is on the body as a whole, as NetBox 4.6.8
 * does for journal entries and images.
 */
export const namedObjectExists =
  <F extends Fields>(type: string, id: string) =>
  async ({ next, sent, read }: Change<F>): Promise<Refusal | undefined> => {
    if (!sent.has(type) || !sent.has(id)) return
    const row: Readonly<Record<string, unknown>> = next
    const name = String(row[type])
    const target = row[id]
    // A value that is not an id is refused on the field by the model's own checks.
    if (!read.isModel(name) || typeof target !== 'number' || target < 0) return
    const isThere = await read.shows(modelNamed(name), target)
    return isThere ? undefined : { non_field_errors: `There is no ${name} with the id ${target}.` }
  }

/** Rules can read rows of any model by its name; only the types of its columns are unknown here. */
export const modelNamed = (name: string): Definition<Record<never, never>> =>
  ({ name }) as Definition<Record<never, never>>

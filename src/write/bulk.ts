import { invalid, type Messages } from '../errors.ts'
import { wholeNumber } from '../schema/fields/integer.ts'
import { inputText } from '../schema/fields/text.ts'
import { isJsonObject } from '../schema/json.ts'
import { isRefused, REQUIRED } from '../schema/outcome.ts'
import type { DeleteTarget } from './remove/delete-objects.ts'
import type { UpdateTarget } from './update-objects.ts'

/** The body of a bulk change: a list of objects with their ids. Throws with errors by position. */
export const bulkUpdateTargets = (body: unknown): UpdateTarget[] =>
  readList(body).map(({ id, item }) => ({ id, body: item }))

/** The body of a bulk deletion: a list of `{id, changelog_message}`; null deletes nothing. Throws likewise. */
export const bulkDeleteTargets = (body: unknown): DeleteTarget[] =>
  readList(body === null ? [] : body).map(({ id, item }) => ({
    id,
    message: deletionMessage(item),
  }))

/** The message for the change record of a deletion, from the body of a request. Throws when it is too long. */
export function deletionMessage(body: unknown): string {
  const input = isJsonObject(body) ? body.changelog_message : undefined
  if (input === undefined || input === null) return ''
  const outcome = inputText(input)
  if (isRefused(outcome)) throw invalid({ changelog_message: outcome.refused })
  if ([...outcome.value].length > 200) {
    throw invalid({ changelog_message: ['Ensure this field has no more than 200 characters.'] })
  }
  return outcome.value
}

function readList(body: unknown): { readonly id: number; readonly item: unknown }[] {
  if (!Array.isArray(body)) {
    throw invalid({ non_field_errors: ['Expected a list of objects.'] })
  }
  const errors: Messages[] = []
  const found = body.map((item: unknown) => {
    const messages = complainOf(item)
    errors.push(messages ?? {})
    const id = isJsonObject(item) ? wholeNumber(item.id) : undefined
    return { id: id ?? 0, item }
  })
  if (errors.some((each) => Object.keys(each).length > 0)) throw invalid(errors)
  return found
}

function complainOf(item: unknown): Messages | undefined {
  if (!isJsonObject(item)) return { non_field_errors: ['Expected an object with an id.'] }
  if (item.id === undefined) return { id: [REQUIRED] }
  const id = wholeNumber(item.id)
  return id === undefined || !Number.isSafeInteger(id) ? { id: ['A valid integer is required.'] } : undefined
}

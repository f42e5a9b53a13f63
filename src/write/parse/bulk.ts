import type { ApiVersion } from '../../base/api-version.ts'
import { invalid, invalidList, listErrors, type Messages } from '../../base/errors.ts'
import { wholeNumber } from '../../schema/fields/integer.ts'
import { inputText } from '../../schema/fields/text.ts'
import { isJsonObject } from '../../schema/json.ts'
import { isRefused, REQUIRED } from '../../schema/outcome.ts'

/** The change of one object. */
export interface UpdateTarget {
  readonly id: number
  readonly body: unknown
}

/** An object to delete, with the message for its change record. */
export interface DeleteTarget {
  readonly id: number
  readonly message?: string | undefined
}

/**
 * Whether ids of a list that name no object, or the same object twice, are refused; the earlier version of the API
 * ignores them.
 */
export const REFUSES_UNKNOWN: Readonly<Record<ApiVersion, boolean>> = { '4.6': false, '4.7': true }

/** Throws if an entry of a list names no object of `existing`, or the same object as an earlier entry. */
export function requireEach(
  targets: readonly { readonly id: number }[],
  existing: readonly { readonly id: number }[],
): void {
  const seen = new Set<number>()
  const repeated = targets.filter(({ id }) => seen.size === seen.add(id).size)
  if (repeated.length > 0) throw refusedIds('updated', targets.length, repeated, 'The list names this object twice.')
  const ids = new Set(existing.map(({ id }) => id))
  const missing = targets.filter(({ id }) => !ids.has(id))
  if (missing.length > 0) throw refusedIds('found', targets.length, missing, 'There is no object with this id.')
}

const refusedIds = (done: string, total: number, entries: readonly { readonly id: number }[], message: string) => {
  const errors = entries.map(({ id }) => ({ id, errors: { id: [message] } }))
  return invalid({ id: [message] }, listErrors(done, total, errors))
}

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
    const detail = 'Expected a list of objects.'
    throw invalid({ non_field_errors: [detail] }, { detail })
  }
  const messages = body.map(complainOf)
  if (messages.some((errors) => errors !== undefined)) throw invalidList('validated', messages)
  return body.map((item: unknown) => ({ id: (isJsonObject(item) ? wholeNumber(item.id) : undefined) ?? 0, item }))
}

function complainOf(item: unknown): Messages | undefined {
  if (!isJsonObject(item)) return { non_field_errors: ['Expected an object with an id.'] }
  if (item.id === undefined) return { id: [REQUIRED] }
  const id = wholeNumber(item.id)
  return id === undefined || !Number.isSafeInteger(id) ? { id: ['A valid integer is required.'] } : undefined
}

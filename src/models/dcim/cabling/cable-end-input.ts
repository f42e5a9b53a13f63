import type { Messages } from '../../../errors.ts'
import { isJsonObject } from '../../../schema/json.ts'

/** An object that a body names as an end of a cable. */
export interface NamedEnd {
  readonly type: string
  readonly id: number
}

const REQUIRED = ['This field is required.']

/** Reads the list of objects at one end of a cable. */
export function readCableEnds(
  input: unknown,
): { readonly value: readonly NamedEnd[] } | { readonly refused: Messages } {
  if (input === null) return { refused: ['This field may not be null.'] }
  if (!Array.isArray(input)) return { refused: { non_field_errors: ['Expected a list.'] } }
  const read = input.map(readEnd)
  return read.some((each) => 'refused' in each)
    ? { refused: read.map((each) => ('refused' in each ? each.refused : {})) }
    : { value: read.flatMap((each) => ('value' in each ? each.value : [])) }
}

function readEnd(item: unknown): { readonly value: NamedEnd } | { readonly refused: Messages } {
  if (!isJsonObject(item)) return { refused: { non_field_errors: ['Expected an object.'] } }
  const { object_type: type, object_id: id } = item
  const number = typeof id === 'string' && /^\d+$/.test(id) ? Number(id) : id
  const refused = {
    ...(type === undefined ? { object_type: REQUIRED } : {}),
    ...(type !== undefined && (typeof type !== 'string' || !/^\w+\.\w+$/.test(type))
      ? { object_type: ['Specify an object type as "app.model".'] }
      : {}),
    ...(id === undefined ? { object_id: REQUIRED } : {}),
    ...(id !== undefined && !Number.isSafeInteger(number)
      ? { object_id: ['A valid integer is required.'] }
      : {}),
  }
  return Object.keys(refused).length > 0
    ? { refused }
    : { value: { type: String(type).toLowerCase(), id: Number(number) } }
}

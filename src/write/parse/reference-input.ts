import type { ReferenceFormat } from '../../schema/field.ts'
import { wholeNumber } from '../../schema/fields/integer.ts'
import { isJsonObject } from '../../schema/json.ts'
import { isRefused, NOT_NULL, type Refused, refuse } from '../../schema/outcome.ts'
import type { ReferenceItem } from '../draft.ts'

/** Parses one related object of a body. */
export function parseReference(format: ReferenceFormat, input: unknown): ReferenceItem | Refused {
  if (format === 'slug') {
    return typeof input === 'string'
      ? { attributes: { slug: input } }
      : refuse('Identify the related object by its slug.')
  }
  if (typeof input === 'number' || typeof input === 'string') {
    const id = wholeNumber(input)
    if (id !== undefined && Number.isSafeInteger(id)) return { id }
  }
  if (isJsonObject(input) && format === 'idOrAttributes') {
    const names = Object.keys(input)
    if (names.length === 0) return refuse('Enter at least one attribute of the related object.')
    const id = names.length === 1 && names[0] === 'id' ? wholeNumber(input.id) : undefined
    return id === undefined ? { attributes: input } : { id }
  }
  return refuse(
    format === 'id'
      ? 'Identify the related object by its numeric id.'
      : 'Identify the related object by its numeric id or by an object of attributes.',
  )
}

/** Parses a list of related objects. */
export function parseReferences(format: ReferenceFormat, input: unknown): readonly ReferenceItem[] | Refused {
  if (!Array.isArray(input)) {
    const sentence = 'Expected a list of items.'
    // Lists of nested objects are refused in the same way as documents.
    return format === 'idOrAttributes' && input !== null
      ? { refused: { non_field_errors: [sentence] } }
      : refuse(input === null ? NOT_NULL : sentence)
  }
  const items: ReferenceItem[] = []
  for (const element of input) {
    const item = parseReference(format, element)
    if (isRefused(item)) return item
    items.push(item)
  }
  return items
}

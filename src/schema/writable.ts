import { isStored } from './column.ts'
import type { Field } from './field.ts'
import { isBlank } from './fields/kind.ts'

/** Whether a body may contain the field. */
export function isWritable(field: Field): boolean {
  if ('readOnly' in field && field.readOnly) return false
  if ('hidden' in field && field.hidden && !('accepted' in field && field.accepted)) return false
  if (('compute' in field && field.compute !== undefined) || ('auto' in field && field.auto)) return false
  if (field.kind === 'computed' && field.joins !== undefined) return true
  if (field.kind === 'computed' || field.kind === 'derived') return field.input !== undefined
  return WRITTEN_KINDS.has(field.kind) || isStored(field)
}

/** Kinds that a body may contain although they do not have exactly one column. */
const WRITTEN_KINDS: ReadonlySet<string> = new Set(['manyToMany', 'genericForeignKey', 'tags', 'customFields'])

/** Whether creating and replacing require the field. */
export function isRequired(field: Field): boolean {
  if (!isWritable(field)) return false
  if (field.kind === 'manyToMany') return field.required === true
  if (field.kind === 'genericForeignKey') return !field.nullable
  if (!isStored(field)) return false
  if (field.required) return true
  if (field.nullable || field.lateRequired || field.defaultFrom) return false
  return field.default === undefined && !isBlank(field)
}

/** Whether an object cannot be saved without the field: the API requires it, or the rules of the model do. */
export const isDemanded = (field: Field): boolean =>
  isRequired(field) || ('lateRequired' in field && field.lateRequired === true)

/** Whether the value is a key or password, which pages show on request only. */
export const isSecret = (field: Field | undefined): boolean =>
  field !== undefined && 'isSecret' in field && field.isSecret === true

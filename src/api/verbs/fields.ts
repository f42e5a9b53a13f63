import { rowSecurityOf } from '../../identity/permitted-rows.ts'
import { hiddenFields } from '../../read/query/hidden-fields.ts'
import { lastValue } from '../../read/query/last-value.ts'
import type { FieldSelection } from '../../read/serialise/projection.ts'
import type { Model } from '../../schema/registry.ts'
import type { ApiRequest } from '../api-request.ts'

/** `fields`, `omit`, `brief` and `exclude` of a read. */
export function selectionOf(search: URLSearchParams): FieldSelection {
  return {
    ...selectionOfWrite(search),
    // Every value except the empty one counts as true, even 0.
    brief: Boolean(lastValue(search, 'brief')),
  }
}

/** The same for a write, whose response is never brief. */
export const selectionOfWrite = (search: URLSearchParams): FieldSelection => ({
  fields: namesOf(search, 'fields'),
  omit: namesOf(search, 'omit'),
  brief: false,
  excludeContext: lastValue(search, 'exclude')?.includes('config_context') ?? false,
})

/** Whether a body's value of that name is ignored because the request omits the field. */
export function ignoredBy({ fields, omit }: FieldSelection): ((name: string) => boolean) | undefined {
  if (fields) return (name) => !fields.includes(name)
  if (omit) return (name) => omit.includes(name)
  return undefined
}

function namesOf(search: URLSearchParams, parameter: string): readonly string[] | undefined {
  const value = lastValue(search, parameter)
  return value ? value.split(',').map((name) => name.trim()) : undefined
}

/** The selection without the computed fields that the sender may not see. */
export const visibleTo = (
  { service, actor }: Pick<ApiRequest, 'service' | 'actor'>,
  model: Model,
): Pick<FieldSelection, 'without'> => ({
  without: hiddenFields(model, rowSecurityOf(actor, service.registry, service.settings)),
})

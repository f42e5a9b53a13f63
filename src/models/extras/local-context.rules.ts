import type { Refusal } from '../../schema/rule.ts'

/** Context data is merged key by key, so it must be an object. */
export const localContextIsObject = ({
  next,
}: {
  readonly next: { readonly local_context_data: unknown }
}): Refusal | undefined => {
  const { local_context_data: data } = next
  return data === null || (typeof data === 'object' && !Array.isArray(data))
    ? undefined
    : { local_context_data: 'Context data is a JSON object.' }
}

import type { Refusal } from '../../schema/rule.ts'

/** An incomplete scope is an error of the object as a whole; other generic relations report the missing field. */
export const scopeTypeNeedsObject = ({
  next,
}: {
  readonly next: { readonly scope_type: string | null; readonly scope_id: number | null }
}): Refusal | undefined =>
  next.scope_type !== null && next.scope_id === null
    ? { __all__: 'A scope type needs a scope.' }
    : undefined

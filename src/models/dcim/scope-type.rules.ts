import type { Refusal } from '../../schema/rule.ts'

/** Half a scope is refused on the object as a whole, where other relations name the missing half. */
export const scopeTypeNeedsObject = ({
  next,
}: {
  readonly next: { readonly scope_type: string | null; readonly scope_id: number | null }
}): Refusal | undefined =>
  next.scope_type !== null && next.scope_id === null
    ? { __all__: 'A scope type needs a scope.' }
    : undefined

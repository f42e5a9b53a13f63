import type { Refusal } from '../../schema/rule.ts'

export const staysInType = ({
  next,
  previous,
}: {
  readonly next: { readonly device_type: number | null }
  readonly previous: { readonly device_type: number | null } | undefined
}): Refusal | undefined =>
  previous && previous.device_type !== next.device_type
    ? { device_type: 'A component template cannot be moved to another device type.' }
    : undefined

export const belongsToOneType = ({
  next,
}: {
  readonly next: { readonly device_type: number | null; readonly module_type: number | null }
}): Refusal | undefined =>
  (next.device_type === null) === (next.module_type === null)
    ? { __all__: 'A component template belongs to a device type or to a module type.' }
    : undefined

interface Typed {
  readonly device_type: number | null
  readonly module_type: number | null
}

/** Whether two templates belong to the same device type or module type. */
export const areOfOneType = (one: Typed, other: Typed): boolean =>
  (one.device_type === null || one.device_type === other.device_type) &&
  (one.module_type === null || one.module_type === other.module_type)

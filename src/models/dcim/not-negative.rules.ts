import type { Refusal } from '../../schema/rule.ts'

/** Refuses a measure below zero. */
export const refuseNegative =
  <Name extends string>(name: Name) =>
  ({ next }: { readonly next: { readonly [K in Name]: string | null } }): Refusal | undefined =>
    Number(next[name] ?? 0) < 0 ? { [name]: 'Enter zero or a positive number.' } : undefined

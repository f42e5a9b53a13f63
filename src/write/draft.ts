import type { Messages } from '../errors.ts'
import type { Model } from '../schema/registry.ts'
import type { Refusal } from '../schema/rule.ts'
import type { DraftRow, StoredRow } from './rows.ts'

/** How the body of one object is to be understood. */
export type Mode = 'create' | 'replace' | 'change'

/** Tags as one body asks for them; lists are resolved to ids. */
export interface TagWishes {
  set?: readonly number[]
  add?: readonly number[]
  remove?: readonly number[]
}

/** One object on its way from body to row. */
export interface Draft {
  readonly model: Model
  readonly mode: Mode
  /** The row as stored; undefined for a new object. */
  readonly previous: StoredRow | undefined
  /** The row as it will be; keys as in StoredRow. */
  readonly next: DraftRow
  /** Names that the body sent and that were taken from it. */
  readonly sent: Set<string>
  /** Why the object is refused, by field; empty: it is not. */
  readonly errors: Map<string, Messages>
  readonly references: PendingReference[]
  readonly tags: TagWishes
  /** Custom field values as sent, related objects resolved; undefined: none were sent. */
  customFields: Record<string, unknown> | undefined
  /** Text for the change record. */
  message: string
}

/** Objects of another model that a body names. */
export interface PendingReference {
  readonly to: Model
  readonly items: readonly ReferenceItem[]
  /** Takes the ids in the order of the items. */
  settle(ids: readonly number[]): void
  refuse(messages: Messages): void
}
export type ReferenceItem =
  | { readonly id: number }
  | { readonly attributes: Readonly<Record<string, unknown>> }

/** Adds what a rule or a constraint says to what is known already. */
export function addRefusal(draft: Draft, refusal: Refusal): void {
  for (const [name, said] of Object.entries(refusal)) {
    const before = draft.errors.get(name)
    const messages = typeof said === 'string' ? [said] : said
    const isList = Array.isArray(before) && Array.isArray(messages)
    draft.errors.set(name, isList ? [...before, ...messages] : messages)
  }
}

/** Messages of an object in the form of the answer; undefined when there are none. */
export const errorMessagesOf = ({ errors }: Draft): Messages | undefined =>
  errors.size === 0 ? undefined : Object.fromEntries(errors)

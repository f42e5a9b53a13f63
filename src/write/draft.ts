import type { Messages } from '../base/errors.ts'
import type { Model } from '../schema/registry.ts'
import type { Refusal } from '../schema/rule.ts'
import type { DraftRow, StoredRow } from './rows.ts'

/** The operation of a body. */
export type Mode = 'create' | 'replace' | 'change'

/** Tags in a body; lists are resolved to ids. */
export interface TagWishes {
  set?: readonly number[]
  add?: readonly number[]
  remove?: readonly number[]
}

/** One object on its way from body to row. */
export interface Draft {
  readonly model: Model
  /** The model in the request's API version, which determines the fields of the body. */
  readonly form: Model
  readonly mode: Mode
  /** The stored row; undefined for a new object. */
  readonly previous: StoredRow | undefined
  /** The row after the write; keys as in StoredRow. */
  readonly next: DraftRow
  /** Names of the fields that were read from the body. */
  readonly sent: Set<string>
  /** Errors by field; empty for a valid object. */
  readonly errors: Map<string, Messages>
  readonly references: PendingReference[]
  readonly tags: TagWishes
  /** Custom field values of the body, with related objects resolved; undefined if the body has none. */
  customFields: Record<string, unknown> | undefined
  /** Message for the change record. */
  message: string
}

/** References of a body to objects of another model. */
export interface PendingReference {
  readonly to: Model
  readonly items: readonly ReferenceItem[]
  /** Receives the ids in the order of the items. */
  settle(ids: readonly number[]): void
  /** Receives the error messages, and the ids of two objects if several have the attributes. */
  refuse(messages: Messages, reason: { readonly isAmbiguous?: boolean; readonly candidates?: readonly number[] }): void
}
export type ReferenceItem = { readonly id: number } | { readonly attributes: Readonly<Record<string, unknown>> }

/** Adds the errors of a rule or a constraint to the draft. */
export function addRefusal(draft: Draft, refusal: Refusal): void {
  for (const [name, said] of Object.entries(refusal)) {
    const before = draft.errors.get(name)
    const messages = typeof said === 'string' ? [said] : said
    const isList = Array.isArray(before) && Array.isArray(messages)
    draft.errors.set(name, isList ? [...before, ...messages] : messages)
  }
}

/** Errors of an object in the form of the response; undefined without errors. */
export const errorMessagesOf = ({ errors }: Draft): Messages | undefined =>
  errors.size === 0 ? undefined : Object.fromEntries(errors)

import type { Messages } from '../base/errors.ts'

/** Result of parsing one value of a body. */
export type Outcome = { readonly value: unknown } | Refused
export interface Refused {
  readonly refused: Messages
}

export const accept = (value: unknown): Outcome => ({ value })
/** A refusal with one message, in a list as clients expect it. */
export const refuse = (sentence: string): Refused => ({ refused: [sentence] })
/** A refusal with structured messages (by position, by name). */
export const refuseAs = (messages: Messages): Refused => ({ refused: messages })

export const isRefused = (outcome: object): outcome is Refused => 'refused' in outcome

/** Messages that several parsers use. */
export const REQUIRED = 'This field is required.'
export const NOT_NULL = 'This field may not be null.'
export const NOT_BLANK = 'This field may not be blank.'

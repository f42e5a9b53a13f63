import type { Messages } from '../../errors.ts'

const WORDS: ReadonlyMap<unknown, boolean> = new Map([
  ...[true, 1, '1', 'true', 'True', 'yes', 'on'].map((word) => [word, true] as const),
  ...[false, 0, '0', 'false', 'False', 'no', 'off'].map((word) => [word, false] as const),
])

/** Parses an option of a write that is true or false. */
export function readYesOrNo(
  input: unknown,
): { readonly value: boolean } | { readonly refused: Messages } {
  const value = WORDS.get(input)
  return value === undefined ? { refused: ['Must be a valid boolean.'] } : { value }
}

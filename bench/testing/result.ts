import { NOTHING_MEASURED, type Result } from '../result.ts'

/** A result with defaults for all fields that a test does not set. */
export const testResult = (known: Partial<Result> & { readonly target: string }): Result => ({
  ...NOTHING_MEASURED,
  date: '2026-11-21',
  machine: 'one core',
  ...known,
})

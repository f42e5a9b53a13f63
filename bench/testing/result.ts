import type { Result } from '../result.ts'

/** A result of which a test names what it is about. */
export const testResult = (known: Partial<Result> & { readonly target: string }): Result => ({
  format: 1,
  date: '2026-11-21',
  machine: 'one core',
  versions: {},
  counts: {},
  measurements: [],
  coldStart: null,
  memory: null,
  limit: [],
  growth: [],
  ...known,
})

import { accept, refuse } from '../outcome.ts'
import {
  asIs,
  builder,
  type CellValue,
  type OptionsOf,
  printed,
  type ScalarKind,
  type Stored,
  type ValueOf,
  WrongValue,
} from './kind.ts'

export interface BooleanField<Value = boolean> extends Stored<'boolean', Value> {}

export const boolean = <const O extends OptionsOf<BooleanField>>(options: O): BooleanField<ValueOf<boolean, O>> =>
  builder<BooleanField>('boolean')(options)

const TRUE: ReadonlySet<unknown> = new Set([true, 1, 't', 'y', 'yes', 'true', 'on', '1'])
const FALSE: ReadonlySet<unknown> = new Set([false, 0, 'f', 'n', 'no', 'false', 'off', '0'])

/** The truth value of a word that forms and tables send, or undefined. */
export function truthValue(input: unknown): boolean | undefined {
  const word = typeof input === 'string' ? input.trim().toLowerCase() : input
  if (TRUE.has(word)) return true
  return FALSE.has(word) ? false : undefined
}

/** A truth value in a cell of an imported table. */
export function booleanCell(input: unknown): CellValue {
  const value = truthValue(input)
  return value === undefined ? { message: 'Write true or false.' } : { value }
}

export const booleanKind: ScalarKind<BooleanField<unknown>> = {
  options: {},
  columnType: () => 'boolean',
  parse: ({ nullable }, input) => {
    const value = truthValue(input)
    if (value !== undefined) return accept(value)
    const isNone = typeof input === 'string' && ['', 'null'].includes(input.trim().toLowerCase())
    return nullable && isNone ? accept(null) : refuse('Must be a valid boolean.')
  },
  restore: (value) => {
    if (typeof value !== 'boolean') {
      throw new WrongValue(`true or false is expected, not ${printed(value)}`)
    }
    return value
  },
  empty: false,
  cell: booleanCell,
  cleared: ({ nullable }) => (nullable ? null : undefined),
  text: () => asIs,
  filter: (path) => ({ kind: 'boolean', path }),
  metadata: () => ({ type: 'boolean' }),
  schema: () => ({ type: 'boolean' }),
  graphql: { type: () => 'Boolean', lookup: () => ['BoolFilterLookup', 'boolean'] },
  control: () => 'checkbox',
}

import { InvalidArgumentError } from 'commander'
import type { Filling } from './servers/fill.ts'
import type { Storage } from './servers/own-server.ts'

/** Options of `npm run bench`, as commander returns them. */
export interface RunArguments {
  readonly url?: string
  readonly token?: string
  readonly storage: Storage
  readonly data?: string
  readonly scale?: string
  readonly devices?: string
  readonly interfaces?: string
  readonly addresses?: string
  readonly prefixes?: string
  readonly cables?: string
  readonly seed?: string
  readonly seconds: number
  readonly connections: readonly number[]
  readonly only?: string
  readonly readOnly?: true
  readonly withoutCaches?: true
  readonly limit?: true
  readonly growth?: true
  readonly reference?: string
  readonly output?: string
}

const SIZES = ['scale', 'devices', 'interfaces', 'addresses', 'prefixes', 'cables', 'seed'] as const

/** Data for a server of our own: a data set in a directory, or a generated inventory. */
export function fillingOf(given: RunArguments): Filling {
  if (given.data !== undefined) return { kind: 'import', directory: given.data }
  const options = SIZES.flatMap((name) => {
    const value = given[name]
    return value === undefined ? [] : [`--${name}`, value]
  })
  return { kind: 'generate', options: options.length > 0 ? options : ['--devices', '10000'] }
}

/** Whether a name contains the text, in any case; every name where none is given. */
export const nameFilter = (only = ''): ((name: string) => boolean) => {
  const wanted = only.toLowerCase()
  return (name) => name.toLowerCase().includes(wanted)
}

/** Numbers of connections from text such as `1,8`. */
export function connectionCounts(text: string): number[] {
  const counts = text.split(',').map(Number)
  if (!counts.every((count) => Number.isInteger(count) && count > 0)) {
    throw new InvalidArgumentError('Whole numbers above 0 are expected, with commas between them.')
  }
  return counts
}

export function positiveNumber(text: string): number {
  const value = Number(text)
  if (!(value > 0)) throw new InvalidArgumentError('A number above 0 is expected.')
  return value
}

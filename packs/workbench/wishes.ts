/** What the bodies of requests to the workbench ask for. */
import {
  formatInterface,
  type Interface,
  invalid,
  isJsonObject,
  type JsonObject,
  parseInterface,
  widthOf,
} from 'cadastre'
import { type Contents, isWithin, networkOf, outermost, type Piece } from './contents.ts'
import {
  mergedNetwork,
  mergePlan,
  ORIGINALS,
  type Original,
  type Plan,
  partsOf,
  renumberPlan,
  resizePlan,
  splitPlan,
} from './plans.ts'

export const OPERATIONS = ['split', 'merge', 'resize', 'renumber'] as const
export type Operation = (typeof OPERATIONS)[number]

/** A parsed request: which part of the address space it is about, and its plan. */
export interface Wish {
  /** Ids of further prefixes that it names. */
  readonly named?: readonly number[] | undefined
  /** Networks whose contents the plan needs. */
  readonly space: (prefix: Piece, named: readonly Piece[]) => readonly Interface[]
  readonly plan: (prefix: Piece, contents: Contents, named: readonly Piece[]) => Plan
}

/** The options in the body. */
export class Options {
  readonly #values: JsonObject

  constructor(body: unknown, names: readonly string[]) {
    if (body !== undefined && body !== null && !isJsonObject(body)) {
      throw invalid({ non_field_errors: ['Expected an object with named fields.'] })
    }
    this.#values = body ?? {}
    const unknown = Object.keys(this.#values).find((name) => !names.includes(name))
    if (unknown !== undefined) throw invalid({ [unknown]: ['There is no such option.'] })
  }

  flag(name: string, otherwise: boolean): boolean {
    const value = this.#values[name] ?? otherwise
    if (typeof value !== 'boolean') throw invalid({ [name]: ['Must be a valid boolean.'] })
    return value
  }

  choice<T extends string>(name: string, values: readonly T[], otherwise: T): T {
    const value = this.#values[name] ?? otherwise
    const chosen = values.find((choice) => choice === value)
    if (chosen === undefined) throw invalid({ [name]: [`Expected one of ${values.join(', ')}.`] })
    return chosen
  }

  number(name: string): number | undefined {
    const value = this.#values[name]
    if (value === undefined || value === null) return undefined
    if (!Number.isSafeInteger(value)) throw invalid({ [name]: ['A valid integer is required.'] })
    return Number(value)
  }

  ids(name: string): readonly number[] | undefined {
    const value = this.#values[name]
    if (value === undefined || value === null) return undefined
    const isId = (id: unknown) => Number.isSafeInteger(id) && Number(id) > 0
    if (!Array.isArray(value) || !value.every(isId)) throw invalid({ [name]: ['Expected a list of ids.'] })
    return [...new Set(value.map(Number))]
  }

  networks(name: string): readonly Interface[] | undefined {
    const value = this.#values[name]
    if (value === undefined || value === null) return undefined
    if (!Array.isArray(value) || value.length === 0) throw invalid({ [name]: ['Expected a list of networks.'] })
    return value.map((text) => parsedNetwork(name, text))
  }

  network(name: string): Interface | undefined {
    const value = this.#values[name]
    return value === undefined || value === null ? undefined : parsedNetwork(name, value)
  }
}

function parsedNetwork(name: string, value: unknown): Interface {
  const network = typeof value === 'string' && value.includes('/') ? parseInterface(value.trim()) : undefined
  if (!network) throw invalid({ [name]: ['Expected a network, such as 192.0.2.0/24.'] })
  const host = BigInt(widthOf(network.family) - network.length)
  if ((network.value >> host) << host !== network.value) {
    throw invalid({ [name]: [`${formatInterface(network)} has host bits. Expected a network, such as 192.0.2.0/24.`] })
  }
  return network
}

/** The prefixes within one that lie in no other one within it. */
const directChildren = (prefix: Piece, { prefixes }: Contents): readonly Piece[] =>
  outermost(prefixes.filter((piece) => piece.length > prefix.length && isWithin(piece, networkOf(prefix))))

export const WISHES: Readonly<
  Record<Operation, { readonly options: readonly string[]; readonly read: (options: Options) => Wish }>
> = {
  split: {
    options: ['length', 'prefixes', 'original', 'masks'],
    read: (options) => {
      const [length, prefixes] = [options.number('length'), options.networks('prefixes')]
      const original: Original = options.choice('original', ORIGINALS, 'container')
      const masks = options.flag('masks', true)
      if ((length === undefined) === (prefixes === undefined)) {
        throw invalid({ non_field_errors: ['Give either the length of the new prefixes, or these prefixes.'] })
      }
      return {
        space: (prefix) => [networkOf(prefix)],
        plan: (prefix, contents) =>
          splitPlan(prefix, contents, { parts: prefixes ?? partsOf(networkOf(prefix), length ?? 0), original, masks }),
      }
    },
  },
  merge: {
    options: ['prefixes', 'masks'],
    read: (options) => {
      const ids = options.ids('prefixes')
      const masks = options.flag('masks', true)
      return {
        named: ids,
        space: (prefix, others) => [mergedNetwork(prefix, others)],
        plan: (prefix, contents, others) => {
          const merged = ids ? others.filter(({ id }) => id !== prefix.id) : directChildren(prefix, contents)
          if (merged.length === 0) throw invalid({ prefixes: ['Name the prefixes to merge.'] })
          return mergePlan(prefix, merged, contents, { masks })
        },
      }
    },
  },
  resize: {
    options: ['prefix', 'length', 'take_in', 'masks'],
    read: (options) => {
      const [network, length] = [options.network('prefix'), options.number('length')]
      const [takesIn, masks] = [options.flag('take_in', false), options.flag('masks', true)]
      if ((length === undefined) === (network === undefined)) {
        throw invalid({ non_field_errors: ['Give either the new length, or the new prefix.'] })
      }
      const target = (prefix: Piece): Interface => network ?? withLength(networkOf(prefix), length ?? 0)
      return {
        space: (prefix) => [networkOf(prefix), target(prefix)],
        plan: (prefix, contents) => resizePlan(prefix, contents, { network: target(prefix), takesIn, masks }),
      }
    },
  },
  renumber: {
    options: ['prefix', 'children', 'ranges', 'addresses', 'names'],
    read: (options) => {
      const network = options.network('prefix')
      if (!network) throw invalid({ prefix: ['This field is required.'] })
      const moves = {
        prefixes: options.flag('children', true),
        ranges: options.flag('ranges', true),
        addresses: options.flag('addresses', true),
      }
      const names = options.flag('names', true)
      return {
        space: (prefix) => [networkOf(prefix), network],
        plan: (prefix, contents) => renumberPlan(prefix, contents, { network, moves, names }),
      }
    },
  },
}

/** The network with another length, at the beginning or around it. Throws `invalid` for a length that does not exist. */
function withLength({ family, value }: Interface, length: number): Interface {
  const width = widthOf(family)
  if (length < 1 || length > width) throw invalid({ length: [`Expected a length from 1 to ${width}.`] })
  const host = BigInt(width - length)
  return { family, length, value: (value >> host) << host }
}

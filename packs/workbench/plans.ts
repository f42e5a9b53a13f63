/** Plans for prefixes: what is created, changed and deleted. They read and write nothing. */
import { formatInterface, freeNetworks, type Interface, invalid, widthOf } from 'cadastre'
import {
  ADDRESS,
  ascending,
  type Contents,
  finder,
  isWithin,
  nameOf,
  networkOf,
  outermost,
  overlaps,
  type Piece,
  PREFIX,
  prefixOf,
  RANGE,
} from './contents.ts'

/** A piece with new values: each field with its former and its new one. */
export interface Change {
  readonly piece: Piece
  readonly fields: Readonly<Record<string, readonly [before: string, after: string]>>
}

export interface Plan {
  /** Networks of the new prefixes, which get the values of the prefix. */
  readonly create: readonly Interface[]
  readonly change: readonly Change[]
  /** Prefixes that are deleted. */
  readonly remove: readonly Piece[]
  /** Objects that refer to one of `from` by a list also refer to the results afterwards. */
  readonly links: { readonly from: readonly number[]; readonly to: readonly number[]; readonly toCreated: boolean }
}

const NOTHING: Plan = { create: [], change: [], remove: [], links: { from: [], to: [], toCreated: false } }

/** What happens to a prefix that is split. */
export const ORIGINALS = ['container', 'first', 'delete'] as const
export type Original = (typeof ORIGINALS)[number]

const MOST_PARTS = 1024

/** Refuses the plan for the first piece; the sentence continues its name. */
function refuse(field: string, piece: Piece | undefined, sentence: string): void {
  if (piece) throw invalid({ [field]: [`${nameOf(piece)} ${sentence}`] })
}

/** Refuses networks, in ascending order, of which two overlap. */
function requireApart(networks: readonly Interface[]): void {
  const index = networks.findIndex((network, place) => {
    const next = networks[place + 1]
    return next && overlaps(prefixOf(next), network)
  })
  const [first, second] = networks.slice(index, index + 2)
  if (index < 0 || !first || !second) return
  throw invalid({ prefixes: [`${formatInterface(first)} and ${formatInterface(second)} overlap.`] })
}

/** The networks of one length that fill a network. Throws `invalid` for more than a request may create. */
export function partsOf(whole: Interface, length: number): readonly Interface[] {
  const { family, value } = whole
  if (length <= whole.length || length > widthOf(family)) {
    throw invalid({ length: [`Expected a length from ${whole.length + 1} to ${widthOf(family)}.`] })
  }
  if (length - whole.length > Math.log2(MOST_PARTS)) {
    throw invalid({ length: [`At most ${MOST_PARTS} prefixes can be made at once.`] })
  }
  const size = 1n << BigInt(widthOf(family) - length)
  return Array.from({ length: 2 ** (length - whole.length) }, (_, index) => ({
    ...{ family, length, value: value + BigInt(index) * size },
  }))
}

/** Splits a prefix into parts, all of which exist afterwards. */
export function splitPlan(
  prefix: Piece,
  { prefixes, ranges, addresses }: Contents,
  { parts, original, masks }: { readonly parts: readonly Interface[]; original: Original; masks: boolean },
): Plan {
  const whole = networkOf(prefix)
  const sorted = ascending(parts.map(prefixOf)).map(networkOf)
  if (sorted.length > MOST_PARTS) throw invalid({ prefixes: [`At most ${MOST_PARTS} prefixes can be made at once.`] })
  for (const part of sorted) {
    if (part.length <= whole.length || !isWithin(prefixOf(part), whole)) {
      throw invalid({ prefixes: [`${formatInterface(part)} is not a part of ${formatInterface(whole)}.`] })
    }
  }
  requireApart(sorted)
  const children = prefixes.filter((piece) => piece.length > whole.length && isWithin(piece, whole))
  const [insideRanges, insideAddresses] = [ranges, addresses].map((list) =>
    list.filter((piece) => isWithin(piece, whole)),
  )
  const contents = [...(insideRanges ?? []), ...(insideAddresses ?? [])]
  const partOf = finder(sorted)
  refuse(
    'non_field_errors',
    insideRanges?.find((range) => !partOf(range) && sorted.some((part) => overlaps(range, part))),
    'would lie in several of the new prefixes, or reach beyond one.',
  )
  if (original !== 'container') {
    const childOf = finder(outermost(children).map(networkOf))
    refuse(
      'non_field_errors',
      contents.find((piece) => !partOf(piece) && !childOf(piece)),
      'is outside of the new prefixes.',
    )
  }
  const existing = new Set(children.map((child) => formatInterface(networkOf(child))))
  const missing = sorted.filter((part) => !existing.has(formatInterface(part)))
  const [first, ...others] = missing
  if (!first && original === 'first') throw invalid({ original: ['All of these prefixes exist already.'] })
  const lengths = masks ? resized(contents, whole.length, (piece) => partOf(piece)?.length) : []
  switch (original) {
    case 'container':
      return { ...NOTHING, create: missing, change: [...statusChange(prefix, 'container'), ...lengths] }
    case 'delete':
      return {
        create: missing,
        change: lengths,
        remove: [prefix],
        links: { from: [prefix.id], to: [], toCreated: true },
      }
    case 'first':
      return {
        ...NOTHING,
        create: others,
        change: [
          ...(first
            ? [{ piece: prefix, fields: { prefix: [formatInterface(whole), formatInterface(first)] } } as const]
            : []),
          ...lengths,
        ],
        links: { from: [prefix.id], to: [], toCreated: true },
      }
  }
}

/** Merges prefixes into one that contains them, or into the network that they fill together. */
export function mergePlan(
  prefix: Piece,
  others: readonly Piece[],
  { prefixes, ranges, addresses }: Contents,
  { masks }: { readonly masks: boolean },
): Plan {
  const network = networkOf(prefix)
  const target = mergedNetwork(prefix, others)
  const isParent = formatInterface(target) === formatInterface(network)
  const merged = isParent ? others : [prefix, ...others]
  const networks = ascending(merged).map(networkOf)
  requireApart(networks)
  if (!isParent) {
    const [gap] = freeNetworks(target, networks)
    if (gap) {
      throw invalid({
        prefixes: [
          `Together they are not a whole prefix: ${formatInterface(gap)} is missing from ${formatInterface(target)}.`,
        ],
      })
    }
    const taken = prefixes.find((piece) => formatInterface(networkOf(piece)) === formatInterface(target))
    refuse('prefixes', taken, 'exists already. Merge these prefixes into it.')
  }
  const mergedOf = finder(networks)
  const contents = [...ranges, ...addresses].filter((piece) => isWithin(piece, target))
  const lengths = masks
    ? contents.flatMap((piece) => (mergedOf(piece)?.length === piece.length ? lengthChange(piece, target.length) : []))
    : []
  const goes = new Set(others.map(({ id }) => id))
  const keepsChildren = prefixes.some(
    (piece) => piece.length > target.length && isWithin(piece, target) && !goes.has(piece.id) && piece.id !== prefix.id,
  )
  const statuses = new Set(others.map(({ text }) => text))
  const [status = 'active'] = statuses.size === 1 ? statuses : []
  const becomes = isParent
    ? prefix.text === 'container' && !keepsChildren
      ? statusChange(prefix, status)
      : []
    : [{ piece: prefix, fields: { prefix: [formatInterface(network), formatInterface(target)] } } as const]
  return {
    create: [],
    change: [...becomes, ...lengths],
    remove: others,
    links: { from: others.map(({ id }) => id), to: [prefix.id], toCreated: false },
  }
}

/** The smallest network that contains the prefixes. */
export function mergedNetwork(prefix: Piece, others: readonly Piece[]): Interface {
  let target = networkOf(prefix)
  while (!others.every((piece) => isWithin(piece, target))) target = shortened(target)
  return target
}

const shortened = ({ family, value, length }: Interface): Interface => {
  const host = BigInt(widthOf(family) - length + 1)
  return { family, length: length - 1, value: (value >> host) << host }
}

/** Gives a prefix a larger or smaller network around or within its own. */
export function resizePlan(
  prefix: Piece,
  { prefixes, ranges, addresses }: Contents,
  { network, takesIn, masks }: { readonly network: Interface; readonly takesIn: boolean; readonly masks: boolean },
): Plan {
  const whole = networkOf(prefix)
  const grows = isWithin(prefix, network)
  if (!grows && !isWithin(prefixOf(network), whole)) {
    throw invalid({
      prefix: [
        `${formatInterface(network)} neither contains ${formatInterface(whole)} nor lies in it. Renumber the prefix instead.`,
      ],
    })
  }
  if (network.length === whole.length) throw invalid({ prefix: ['The prefix has this size already.'] })
  const contents = [...ranges, ...addresses].filter((piece) => isWithin(piece, whole))
  const others = prefixes.filter(({ id }) => id !== prefix.id)
  refuse(
    'prefix',
    others.find((piece) => formatInterface(networkOf(piece)) === formatInterface(network)),
    'exists already.',
  )
  if (grows) {
    const swallowed = others.find((piece) => isWithin(piece, network) && !isWithin(piece, whole))
    if (!takesIn) refuse('prefix', swallowed, 'would become a part of the prefix. Set take_in to allow it.')
  } else {
    const children = others.filter((piece) => piece.length > whole.length)
    refuse(
      'prefix',
      [...children, ...contents].find((piece) => !isWithin(piece, network)),
      `is outside of ${formatInterface(network)}.`,
    )
  }
  return {
    ...NOTHING,
    change: [
      { piece: prefix, fields: { prefix: [formatInterface(whole), formatInterface(network)] } },
      ...(masks ? resized(contents, whole.length, () => network.length) : []),
    ],
  }
}

export interface Renumbering {
  readonly network: Interface
  /** What moves along; everything else has to lie in a prefix that stays. */
  readonly moves: { readonly prefixes: boolean; readonly ranges: boolean; readonly addresses: boolean }
  /** Addresses keep their DNS names. */
  readonly names: boolean
}

/** Moves a prefix, with what it contains, to a network of its size or a larger one. */
export function renumberPlan(prefix: Piece, contents: Contents, { network, moves, names }: Renumbering): Plan {
  const whole = networkOf(prefix)
  const [from, to] = [formatInterface(whole), formatInterface(network)]
  if (network.family !== whole.family) throw invalid({ prefix: ['Expected a network of the same address family.'] })
  if (network.length > whole.length) throw invalid({ prefix: [`${to} is smaller than ${from}.`] })
  if (overlaps(prefix, network)) throw invalid({ prefix: [`${to} contains ${from}. Resize the prefix instead.`] })
  const { prefixes, ranges, addresses } = contents
  // Prefixes around the target may exist: it is a part of them.
  refuse(
    'prefix',
    [...prefixes.filter(({ length }) => length >= network.length), ...addresses].find((piece) =>
      isWithin(piece, network),
    ),
    `is in ${to} already.`,
  )
  refuse(
    'prefix',
    ranges.find((piece) => overlaps(piece, network)),
    `is in ${to} already.`,
  )
  const children = prefixes.filter((piece) => piece.length > whole.length && isWithin(piece, whole))
  refuse(
    'non_field_errors',
    ranges.find((piece) => moves.ranges && overlaps(piece, whole) && !isWithin(piece, whole)),
    `reaches beyond ${from}.`,
  )
  const inside = {
    ranges: ranges.filter((piece) => isWithin(piece, whole)),
    addresses: addresses.filter((piece) => isWithin(piece, whole)),
  }
  const moved = [
    ...(moves.prefixes ? children : []),
    ...(moves.ranges ? inside.ranges : []),
    ...(moves.addresses ? inside.addresses : []),
  ]
  const going = new Set([prefix, ...moved].map(({ kind, id }) => `${kind} ${id}`))
  const goes = ({ kind, id }: Piece): boolean => going.has(`${kind} ${id}`)
  const stayingOf = finder(outermost(prefixes.filter((piece) => !goes(piece) && overlaps(piece, whole))).map(networkOf))
  const left = [...children, ...inside.ranges, ...inside.addresses].filter((piece) => !goes(piece))
  refuse(
    'non_field_errors',
    left.find((piece) => piece.kind !== PREFIX && !stayingOf(piece)),
    'would stay behind in no prefix.',
  )
  const offset = network.value - whole.value
  return {
    ...NOTHING,
    change: [
      { piece: prefix, fields: { prefix: [from, to] } },
      ...moved.map((piece) =>
        movedChange(piece, offset, piece.length === whole.length ? network.length : piece.length, names),
      ),
    ],
  }
}

function movedChange(piece: Piece, offset: bigint, length: number, names: boolean): Change {
  const next = { ...piece, first: piece.first + offset, last: piece.last + offset, length }
  const fields = changedFields(piece, next)
  const drops = piece.kind === ADDRESS && !names && piece.text !== ''
  return { piece, fields: { ...fields, ...(drops && { dns_name: [piece.text, ''] as const }) } }
}

function changedFields(before: Piece, after: Piece): Change['fields'] {
  const [was, becomes] = [before, after].map(({ family, first, last, length }) => ({
    first: formatInterface({ family, value: first, length }),
    last: formatInterface({ family, value: last, length }),
  }))
  if (!was || !becomes) return {}
  const first = [was.first, becomes.first] as const
  if (before.kind === RANGE) return { start_address: first, end_address: [was.last, becomes.last] }
  return before.kind === PREFIX ? { prefix: first } : { address: first }
}

const lengthChange = (piece: Piece, length: number): readonly Change[] =>
  piece.length === length ? [] : [{ piece, fields: changedFields(piece, { ...piece, length }) }]

/** Changes of the ranges and addresses that have the length of the prefix, if there is a new one for them. */
const resized = (
  pieces: readonly Piece[],
  length: number,
  lengthOf: (piece: Piece) => number | undefined,
): readonly Change[] =>
  pieces.flatMap((piece) => (piece.length === length ? lengthChange(piece, lengthOf(piece) ?? length) : []))

const statusChange = (prefix: Piece, status: string): readonly Change[] =>
  prefix.text === status ? [] : [{ piece: prefix, fields: { status: [prefix.text, status] } }]

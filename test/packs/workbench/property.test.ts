import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Api, startApi } from '../../support/api.ts'
import { randomNumbers } from '../../support/random-writes.ts'

let api: Api
beforeEach(async () => {
  api = await startApi()
})
afterEach(() => api.close())

// The model knows addresses as texts of bits: a network contains what begins with its bits.

const bitsOf = (text: string): string =>
  text.includes(':')
    ? groupsOf(text)
        .map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0'))
        .join('')
    : text
        .split('.')
        .map((byte) => Number(byte).toString(2).padStart(8, '0'))
        .join('')

function groupsOf(text: string): readonly string[] {
  const [head = '', tail] = text.split('::').map((side) => side.split(':').filter(Boolean))
  if (!Array.isArray(head)) return []
  return tail === undefined ? head : [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
}

const chunks = (bits: string, size: number): readonly string[] => bits.match(new RegExp(`.{${size}}`, 'g')) ?? []
const textOf = (bits: string): string =>
  bits.length === 128
    ? chunks(bits, 16)
        .map((group) => Number.parseInt(group, 2).toString(16))
        .join(':')
    : chunks(bits, 8)
        .map((byte) => Number.parseInt(byte, 2))
        .join('.')
const networkText = (bits: string, width: number): string => `${textOf(bits.padEnd(width, '0'))}/${bits.length}`

interface Prefix {
  readonly id: number
  readonly bits: string
  readonly status: string
}
interface Range {
  readonly id: number
  readonly start: string
  readonly end: string
  readonly mask: number
}
interface Address {
  readonly id: number
  readonly bits: string
  readonly mask: number
  readonly name: string
}
/** The contents of a VRF in one family. */
interface World {
  readonly prefixes: readonly Prefix[]
  readonly ranges: readonly Range[]
  readonly addresses: readonly Address[]
}

interface Request {
  readonly operation: 'split' | 'merge' | 'resize' | 'renumber'
  readonly prefix: Prefix
  readonly body: Readonly<Record<string, unknown>>
  /** What must exist afterwards; undefined if the request must be refused. */
  readonly expected: World | undefined
}

const overlapsBits = ({ start, end }: Range, network: string): boolean =>
  start <= network.padEnd(start.length, '1') && end >= network.padEnd(start.length, '0')
const rangeIn = ({ start, end }: Range, network: string): boolean =>
  start.startsWith(network) && end.startsWith(network)

/** Everything with the mask of a network gets that of the part in which it lies. */
const remasked = (world: World, mask: number, parts: readonly string[], length: (part: string) => number): World => {
  const next = (was: number, part: string | undefined): number =>
    was === mask && part !== undefined ? length(part) : was
  return {
    ...world,
    ranges: world.ranges.map((range) => ({
      ...range,
      mask: next(
        range.mask,
        parts.find((part) => rangeIn(range, part)),
      ),
    })),
    addresses: world.addresses.map((address) => ({
      ...address,
      mask: next(
        address.mask,
        parts.find((part) => address.bits.startsWith(part)),
      ),
    })),
  }
}

function splitOf(world: World, prefix: Prefix, parts: readonly string[], original: string): World | undefined {
  const { bits } = prefix
  const children = world.prefixes.filter((other) => other.bits.startsWith(bits) && other.bits !== bits)
  if (parts.some((part, index) => parts.some((other, at) => at !== index && other.startsWith(part)))) return undefined
  const ranges = world.ranges.filter((range) => rangeIn(range, bits))
  const isTorn = (range: Range) =>
    !parts.some((part) => rangeIn(range, part)) && parts.some((part) => overlapsBits(range, part))
  if (ranges.some(isTorn)) return undefined
  const holders = [...parts, ...children.map((child) => child.bits)]
  const isHeld =
    original === 'container' ||
    (ranges.every((range) => holders.some((holder) => rangeIn(range, holder))) &&
      world.addresses.every(
        (address) => !address.bits.startsWith(bits) || holders.some((holder) => address.bits.startsWith(holder)),
      ))
  if (!isHeld) return undefined
  const missing = parts.filter((part) => !children.some((child) => child.bits === part))
  if (original === 'first' && missing.length === 0) return undefined
  const status = prefix.status === 'container' ? 'active' : prefix.status
  const created = missing.map((part): Prefix => ({ id: 0, bits: part, status }))
  const prefixes =
    original === 'container'
      ? [
          ...world.prefixes.map((other) => (other.id === prefix.id ? { ...other, status: 'container' } : other)),
          ...created,
        ]
      : [...world.prefixes.filter(({ id }) => id !== prefix.id), ...created]
  // The first part is the prefix itself, with its status.
  const first = [...missing].sort()[0]
  const kept = prefixes.map((other) =>
    original === 'first' && other.id === 0 && other.bits === first ? { ...prefix, bits: first } : other,
  )
  return remasked({ ...world, prefixes: kept }, bits.length, parts, (part) => part.length)
}

function mergeOf(world: World, prefix: Prefix, others: readonly Prefix[]): World | undefined {
  let target = prefix.bits
  while (!others.every(({ bits }) => bits.startsWith(target))) target = target.slice(0, -1)
  const isParent = target === prefix.bits
  const merged = isParent ? others : [prefix, ...others]
  if (others.length === 0) return undefined
  if (merged.some(({ bits, id }) => merged.some((other) => other.id !== id && other.bits.startsWith(bits))))
    return undefined
  const share = merged.reduce((sum, { bits }) => sum + 2 ** (target.length - bits.length), 0)
  if (!isParent && (share !== 1 || world.prefixes.some(({ bits }) => bits === target))) return undefined
  const gone = new Set(others.map(({ id }) => id))
  const left = world.prefixes.filter(({ id }) => !gone.has(id))
  const hasChildren = left.some(
    ({ bits }) => bits.startsWith(target) && bits.length > target.length && bits !== prefix.bits,
  )
  const [first] = others
  const common = others.every(({ status }) => status === first?.status) ? (first?.status ?? 'active') : 'active'
  const status = isParent && prefix.status === 'container' && !hasChildren ? common : prefix.status
  const prefixes = left.map((other) => (other.id === prefix.id ? { ...other, bits: target, status } : other))
  return merged.reduce(
    (next, { bits }) => {
      const inside = remasked(next, bits.length, [bits], () => -target.length)
      return inside
    },
    { ...world, prefixes } as World,
  )
}

/** Masks that were set last are negative, so that they do not change again. */
const settled = (world: World): World => ({
  ...world,
  ranges: world.ranges.map((range) => ({ ...range, mask: Math.abs(range.mask) })),
  addresses: world.addresses.map((address) => ({ ...address, mask: Math.abs(address.mask) })),
})

function resizeOf(world: World, prefix: Prefix, target: string, takesIn: boolean): World | undefined {
  const { bits } = prefix
  if (target === bits || !(target.startsWith(bits) || bits.startsWith(target))) return undefined
  const others = world.prefixes.filter(({ id }) => id !== prefix.id)
  if (others.some((other) => other.bits === target)) return undefined
  if (bits.startsWith(target)) {
    if (!takesIn && others.some((other) => other.bits.startsWith(target) && !other.bits.startsWith(bits)))
      return undefined
  } else if (
    others.some((other) => other.bits.startsWith(bits) && !other.bits.startsWith(target)) ||
    world.ranges.some((range) => rangeIn(range, bits) && !rangeIn(range, target)) ||
    world.addresses.some((address) => address.bits.startsWith(bits) && !address.bits.startsWith(target))
  ) {
    return undefined
  }
  const prefixes = world.prefixes.map((other) => (other.id === prefix.id ? { ...other, bits: target } : other))
  return remasked({ ...world, prefixes }, bits.length, [bits], () => target.length)
}

interface Moves {
  readonly children: boolean
  readonly ranges: boolean
  readonly addresses: boolean
  readonly names: boolean
}

function renumberOf(world: World, prefix: Prefix, target: string, moves: Moves): World | undefined {
  const { bits } = prefix
  if (target.length > bits.length || bits.startsWith(target)) return undefined
  const isTaken =
    world.prefixes.some((other) => other.bits.startsWith(target)) ||
    world.addresses.some((address) => address.bits.startsWith(target)) ||
    world.ranges.some((range) => overlapsBits(range, target))
  if (isTaken) return undefined
  if (moves.ranges && world.ranges.some((range) => overlapsBits(range, bits) && !rangeIn(range, bits))) return undefined
  const moved = (text: string): string => target + '0'.repeat(bits.length - target.length) + text.slice(bits.length)
  const maskOf = (mask: number): number => (mask === bits.length ? target.length : mask)
  const movesPrefix = (other: Prefix) =>
    other.id === prefix.id || (moves.children && other.bits.startsWith(bits) && other.bits !== bits)
  const staying = world.prefixes.filter((other) => !movesPrefix(other))
  const stays = (isInside: (network: string) => boolean) => staying.some((other) => isInside(other.bits))
  const isLost =
    (!moves.ranges &&
      world.ranges.some((range) => rangeIn(range, bits) && !stays((network) => rangeIn(range, network)))) ||
    (!moves.addresses &&
      world.addresses.some(({ bits: own }) => own.startsWith(bits) && !stays((network) => own.startsWith(network))))
  if (isLost) return undefined
  return {
    prefixes: world.prefixes.map((other) => {
      if (other.id === prefix.id) return { ...other, bits: target }
      return movesPrefix(other) ? { ...other, bits: moved(other.bits) } : other
    }),
    ranges: world.ranges.map((range) =>
      moves.ranges && rangeIn(range, bits)
        ? { ...range, start: moved(range.start), end: moved(range.end), mask: maskOf(range.mask) }
        : range,
    ),
    addresses: world.addresses.map((address) =>
      moves.addresses && address.bits.startsWith(bits)
        ? { ...address, bits: moved(address.bits), mask: maskOf(address.mask), name: moves.names ? address.name : '' }
        : address,
    ),
  }
}

const everything = async (): Promise<readonly string[]> =>
  (
    await Promise.all(
      ['prefixes', 'ip-ranges', 'ip-addresses'].map((path) => api.ask('GET', `/api/ipam/${path}/?limit=0&ordering=id`)),
    )
  ).map(({ text }) => text)

/** The world of a VRF and a family within the texts of all lists. */
function worldIn(texts: readonly string[], vrf: number | null, family: 4 | 6): World {
  const [prefixes, ranges, addresses] = texts.map((text) => {
    const objects: readonly Readonly<Record<string, unknown>>[] = JSON.parse(text).results
    return objects.filter((object) => {
      const { vrf: own, family: ofObject } = object as { vrf: { id: number } | null; family: { value: number } }
      return (own?.id ?? null) === vrf && ofObject.value === family
    })
  })
  const split = (value: unknown) => {
    const [text = '', length = ''] = String(value).split('/')
    return { bits: bitsOf(text), mask: Number(length) }
  }
  return {
    prefixes: (prefixes ?? []).map(({ id, prefix, status }) => {
      const { bits, mask } = split(prefix)
      return { id: Number(id), bits: bits.slice(0, mask), status: (status as { value: string }).value }
    }),
    ranges: (ranges ?? []).map(({ id, start_address: start, end_address: end }) => ({
      ...{ id: Number(id), start: split(start).bits, end: split(end).bits, mask: split(start).mask },
    })),
    addresses: (addresses ?? []).map(({ id, address, dns_name: name }) => ({
      id: Number(id),
      ...split(address),
      name: String(name),
    })),
  }
}

/** A world as lines, without the ids of prefixes that a split has made. */
const lines = ({ prefixes, ranges, addresses }: World, known: ReadonlySet<number>): readonly string[] => [
  ...prefixes.map(({ id, bits, status }) => `prefix ${known.has(id) ? id : 'new'} ${bits} ${status}`).sort(),
  ...ranges.map(({ id, start, end, mask }) => `range ${id} ${start} ${end} ${mask}`).sort(),
  ...addresses.map(({ id, bits, mask, name }) => `address ${id} ${bits} ${mask} ${name}`).sort(),
]

const BASES = { 4: bitsOf('10.0.0.0').slice(0, 22), 6: bitsOf('2001:db8::').slice(0, 118) } as const

it.each(process.env.SEEDS?.split(',').map(Number) ?? [1, 2, 3])(
  'random operations leave what an independent model expects, and their undo restores every byte (%s)',
  async (seed) => {
    const random = randomNumbers(seed)
    const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T // lists are not empty
    const someBits = (count: number): string => Array.from({ length: count }, () => random(2)).join('')
    const vrf = await api.make('ipam/vrfs', { name: `vrf ${seed}` })
    const places = [null, vrf].flatMap((of) => ([4, 6] as const).map((family) => ({ vrf: of, family })))
    for (const { vrf: of, family } of places) {
      const base = BASES[family]
      const width = family === 4 ? 32 : 128
      const networks = new Set(Array.from({ length: 12 }, () => base + someBits(random(6))))
      await api.ask('POST', '/api/ipam/prefixes/', {
        body: [...networks].map((bits) => ({
          ...{ prefix: networkText(bits, width), vrf: of, status: pick(['active', 'container', 'reserved']) },
        })),
      })
      const inside = () => pick([...networks])
      for (let count = 0; count < 5; count++) {
        const network = inside()
        const [start, end] = [someBits(width - network.length), someBits(width - network.length)].sort()
        const body = {
          start_address: `${textOf(network + start)}/${network.length}`,
          end_address: `${textOf(network + end)}/${network.length}`,
        }
        await api.ask('POST', '/api/ipam/ip-ranges/', { body: { ...body, vrf: of } })
      }
      for (let count = 0; count < 14; count++) {
        const network = inside()
        const address = `${textOf(network + someBits(width - network.length))}/${pick([network.length, width])}`
        await api.ask('POST', '/api/ipam/ip-addresses/', {
          body: { address, vrf: of, dns_name: pick(['', 'a.example.com']) },
        })
      }
    }
    const requestFor = (world: World, family: 4 | 6): Request => {
      const width = family === 4 ? 32 : 128
      const base = BASES[family]
      // A host cannot be split.
      const prefix = pick(world.prefixes.filter(({ bits }) => bits.length < width - 3))
      const { bits } = prefix
      switch (random(4)) {
        case 0: {
          const original = pick(['container', 'first', 'delete'])
          const depth = 1 + random(3)
          const all = Array.from({ length: 2 ** depth }, (_, index) => bits + index.toString(2).padStart(depth, '0'))
          const usesLength = random(2) === 0
          const parts = usesLength
            ? all
            : [...new Set(Array.from({ length: 1 + random(4) }, () => bits + someBits(1 + random(3))))]
          const body = usesLength
            ? { length: bits.length + depth }
            : { prefixes: parts.map((part) => networkText(part, width)) }
          return {
            operation: 'split',
            prefix,
            body: { ...body, original },
            expected: splitOf(world, prefix, parts, original),
          }
        }
        case 1: {
          const sibling = bits.slice(0, -1) + (bits.endsWith('1') ? '0' : '1')
          const children = world.prefixes.filter((other) => other.bits.startsWith(bits) && other.bits !== bits)
          const siblings = world.prefixes.filter((other) => other.bits === sibling)
          const some = world.prefixes.filter(() => random(4) === 0)
          const lists = [children, siblings, some].filter(
            (list) => list.length > 0 && (list !== some || random(3) === 0),
          )
          const others = pick([...lists, ...(lists.length > 0 ? [] : [some])]).filter(({ id }) => id !== prefix.id)
          const merged = mergeOf(world, prefix, others)
          return {
            operation: 'merge',
            prefix,
            body: { prefixes: others.map(({ id }) => id) },
            expected: merged && settled(merged),
          }
        }
        case 2: {
          const target = random(2) ? bits.slice(0, -1 - random(2)) : bits + someBits(1 + random(2))
          const takesIn = random(2) === 0
          return {
            ...{ operation: 'resize', prefix, body: { prefix: networkText(target, width), take_in: takesIn } },
            expected: resizeOf(world, prefix, target, takesIn),
          }
        }
        default: {
          const target = (base.slice(0, -4) + someBits(4) + someBits(10)).slice(0, bits.length - random(2))
          const moves = {
            children: random(4) > 0,
            ranges: random(4) > 0,
            addresses: random(4) > 0,
            names: random(3) > 0,
          }
          return {
            ...{ operation: 'renumber', prefix, body: { prefix: networkText(target, width), ...moves } },
            expected: renumberOf(world, prefix, target, moves),
          }
        }
      }
    }
    const counts = new Map<string, number>()
    for (let step = 0; step < 60; step++) {
      const { vrf: of, family } = pick(places)
      const before = await everything()
      const world = worldIn(before, of, family)
      if (!world.prefixes.some(({ bits }) => bits.length < (family === 4 ? 29 : 125))) continue
      const { operation, prefix, body, expected } = requestFor(world, family)
      const path = `/api/ipam/prefixes/${prefix.id}/${operation}/`
      const name = `step ${step}: ${operation} ${networkText(prefix.bits, family === 4 ? 32 : 128)} ${JSON.stringify(body)}`
      if (random(3) === 0) {
        const tried = await api.ask('POST', path, { body: { ...body, dry_run: true } })
        expect([tried.status, await everything()], name).toEqual([expected ? 200 : 400, before])
      }
      const { status, text, json } = await api.ask('POST', path, { body })
      expect(status, `${name} ${text}`).toBe(expected ? 200 : 400)
      counts.set(`${operation} ${status}`, (counts.get(`${operation} ${status}`) ?? 0) + 1)
      const after = await everything()
      if (!expected) {
        expect(after, name).toEqual(before)
        continue
      }
      const known = new Set(world.prefixes.map(({ id }) => id))
      expect(lines(worldIn(after, of, family), known), name).toEqual(lines(expected, known))
      for (const place of places) {
        if (place.vrf === of && place.family === family) continue
        expect(worldIn(after, place.vrf, place.family), name).toEqual(worldIn(before, place.vrf, place.family))
      }
      if (random(2) === 0 || json.request_id === null) continue
      const undone = await api.ask('POST', `/api/core/requests/${String(json.request_id)}/undo/`, { body: {} })
      expect(undone.status, `${name} ${undone.text}`).toBe(200)
      expect(await everything(), `undo of ${name}`).toEqual(before)
    }
    if (process.env.SHOW_COUNTS) process.stderr.write(`${JSON.stringify([...counts].sort())}\n`)
    for (const operation of ['split', 'merge', 'resize', 'renumber']) {
      expect(counts.get(`${operation} 200`) ?? 0, JSON.stringify([...counts])).toBeGreaterThan(0)
    }
  },
)

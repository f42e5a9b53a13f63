import { describe, expect, it } from 'vitest'
import { wiresOf } from './cable-wires.ts'
import { type CabledObject, type Node, nodeOf, splitNode } from './cabled-object.ts'
import { tracePath, UnsupportedTopology } from './trace-path.ts'
import type { Cable, PortWire, Termination, WirelessLink, Wiring } from './wiring.ts'

/** Names in the table: a letter for the type and a number, `i1`; cables `#1`, wireless links `~1`. */
const TYPES: Readonly<Record<string, string>> = {
  i: 'dcim.interface',
  f: 'dcim.frontport',
  r: 'dcim.rearport',
  t: 'circuits.circuittermination',
  n: 'circuits.providernetwork',
  s: 'dcim.site',
  o: 'dcim.poweroutlet',
  p: 'dcim.powerport',
  '#': 'dcim.cable',
  '~': 'wireless.wirelesslink',
}
const LETTERS = new Map(Object.entries(TYPES).map(([letter, type]) => [type, letter]))
const nodeNamed = (name: string): Node => nodeOf(TYPES[name.charAt(0)] ?? '', Number(name.slice(1)))
const nameOf = (node: Node): string => {
  const { type, id } = splitNode(node)
  return `${LETTERS.get(type)}${id}`
}
const words = (text: string): string[] => text.split(' ').filter(Boolean)

interface Drawing {
  /** Ends of cables in the order of their numbers: `i1 i2 - f1`, then the profile and the status. */
  readonly cables?: readonly (readonly [ends: string, profile?: string, status?: string])[]
  readonly wireless?: readonly (readonly [ends: string, status?: string])[]
  /** Number of positions of ports, `r1 4`, if it is not 1. */
  readonly widths?: Readonly<Record<string, number>>
  /** Wires within devices: `f1 r1:2`; positions are 1 by default. */
  readonly wires?: readonly string[]
  /** Pairs of terminations, sides A and Z of a circuit; either may be missing. */
  readonly circuits?: readonly (readonly [a: string, z?: string])[]
  /** Places at which circuits terminate. */
  readonly landings?: Readonly<Record<string, string>>
  /** Devices of objects, if they are not all in the same one. */
  readonly devices?: Readonly<Record<string, number>>
}

function wiringOf(drawing: Drawing): Wiring {
  const { cables = [], wireless = [], widths = {}, wires = [], circuits = [] } = drawing
  const objects = new Map<Node, CabledObject>()
  const add = (name: string, more: Partial<CabledObject> = {}): CabledObject => {
    const node = nodeNamed(name)
    const known = objects.get(node)
    const object: CabledObject = known ?? {
      node,
      ...splitNode(node),
      holder: `dcim.device:${drawing.devices?.[name] ?? 1}`,
      markConnected: false,
      cable: null,
      cableEnd: null,
      connector: null,
      positions: [],
      kind: null,
      isChannelized: false,
      channelOf: null,
      wirelessLink: null,
      width: widths[name] ?? 1,
      side: null,
      landing: null,
    }
    const changed = { ...object, ...more }
    objects.set(node, changed)
    return changed
  }
  const cableMap = new Map<number, Cable>(
    cables.map(([text, profile = '', status = 'connected'], index) => {
      const cable = index + 1
      const inside = wiresOf(profile)
      const terminations = text.split('-').flatMap((side, which) => {
        const end = which === 0 ? 'A' : 'B'
        return words(side).map((name, at): Termination => {
          const count = inside?.connectors[end][at] ?? 0
          const connector = inside ? at + 1 : null
          const positions = Array.from({ length: count }, (_, position) => position + 1)
          const { node } = add(name, { cable, cableEnd: end, connector, positions })
          return { cable, end, node, connector, positions }
        })
      })
      return [cable, { status, profile, terminations }]
    }),
  )
  const wirelessLinks = new Map<number, WirelessLink>(
    wireless.map(([ends, status = 'connected'], index) => {
      const [a = '', b = ''] = words(ends).map((name) => add(name, { wirelessLink: index + 1 }).node)
      return [index + 1, { status, ends: [a, b] }]
    }),
  )
  const wireMap = new Map<Node, PortWire[]>()
  for (const text of wires) {
    const [front = '', rear = ''] = words(text)
    const [[frontName = '', frontAt = '1'], [rearName = '', rearAt = '1']] = [front.split(':'), rear.split(':')]
    const wire = {
      front: add(frontName).node,
      frontPosition: Number(frontAt),
      rear: add(rearName).node,
      rearPosition: Number(rearAt),
    }
    for (const node of [wire.front, wire.rear]) {
      wireMap.set(node, [...(wireMap.get(node) ?? []), wire])
    }
  }
  const circuitMap = new Map<Node, CabledObject[]>(
    circuits.map((names, index) => {
      const holder = `circuits.circuit:${index + 1}`
      const ends = names.map((name = '', at) => {
        const landing = drawing.landings?.[name]
        return add(name, {
          holder,
          side: at === 0 ? 'A' : 'Z',
          landing: landing === undefined ? null : nodeNamed(landing),
        })
      })
      return [holder, ends]
    }),
  )
  return { objects, cables: cableMap, wirelessLinks, wires: wireMap, circuits: circuitMap, channels: new Map() }
}

/** Two interfaces, each on its panel of four front ports on one rear port. */
const panels: Drawing = {
  cables: [['i1 - f1'], ['r1 - r2'], ['f12 - i2'], ['i3 - f2'], ['f11 - i4']],
  widths: { r1: 4, r2: 4 },
  wires: ['f1 r1:2', 'f2 r1:1', 'f11 r2:1', 'f12 r2:2'],
}

const cases: readonly (Drawing & {
  readonly name: string
  readonly from: string
  /** Steps, then the properties of the path; undefined for none. */
  readonly path: string | undefined
})[] = [
  {
    name: 'nothing is connected',
    wires: ['f1 r1'],
    from: 'i1',
    cables: [['i2 - i3']],
    path: undefined,
  },
  {
    name: 'a cable between two interfaces',
    cables: [['i1 - i2']],
    from: 'i1',
    path: 'i1 | #1 | i2, complete active',
  },
  {
    name: 'the other way',
    cables: [['i1 - i2']],
    from: 'i2',
    path: 'i2 | #1 | i1, complete active',
  },
  {
    name: 'a cable that is planned',
    cables: [['i1 - i2', '', 'planned']],
    from: 'i1',
    path: 'i1 | #1 | i2, complete',
  },
  {
    name: 'a cable with several ends',
    cables: [['i1 i2 - i3 i4 i5']],
    from: 'i1 i2',
    path: 'i1 i2 | #1 | i3 i4 i5, complete active',
  },
  {
    name: 'power',
    cables: [['p1 - o1']],
    from: 'p1',
    path: 'p1 | #1 | o1, complete active',
  },
  {
    name: 'a cable that ends nowhere',
    cables: [['i1 -']],
    from: 'i1',
    path: 'i1 | #1 | , active',
  },
  {
    name: 'a panel without a cable behind it',
    cables: [['i1 - f1']],
    wires: ['f1 r1'],
    from: 'i1',
    path: 'i1 | #1 | f1 | r1, active',
  },
  {
    name: 'a front port that is wired to nothing',
    cables: [['i1 - f1']],
    from: 'i1',
    path: 'i1 | #1 | f1, active',
  },
  {
    name: 'two panels: the position that it went in at is the one that it comes out of',
    ...panels,
    from: 'i1',
    path: 'i1 | #1 | f1 | r1 | #2 | r2 | f12 | #3 | i2, complete active',
  },
  {
    name: 'two panels: another position',
    ...panels,
    from: 'i4',
    path: 'i4 | #5 | f11 | r2 | #2 | r1 | f2 | #4 | i3, complete active',
  },
  {
    name: 'into the rear of a panel, without a position',
    cables: [['i1 - r1'], ['f1 - i2'], ['f2 - i3']],
    widths: { r1: 2 },
    wires: ['f1 r1:1', 'f2 r1:2'],
    from: 'i1',
    path: 'i1 | #1 | r1, active split',
  },
  {
    name: 'through three panels, the middle one planned',
    cables: [['i1 - f1'], ['r1 - r2'], ['f2 - f3', '', 'planned'], ['r3 - i2']],
    wires: ['f1 r1', 'f2 r2', 'f3 r3'],
    from: 'i1',
    path: 'i1 | #1 | f1 | r1 | #2 | r2 | f2 | #3 | f3 | r3 | #4 | i2, complete',
  },
  {
    name: 'a breakout: each position to its connector',
    cables: [['i1 - i2 i3 i4 i5', 'breakout-1c4p-4c1p']],
    from: 'i1',
    path: 'i1 | #1 | i2 i3 i4 i5, complete active',
  },
  {
    name: 'a breakout from the narrow side',
    cables: [['i1 - i2 i3 i4 i5', 'breakout-1c4p-4c1p']],
    from: 'i4',
    path: 'i4 | #1 | i1, complete active',
  },
  {
    name: 'a trunk: its second connector leads to the second one',
    cables: [['i1 i2 - i3 i4', 'trunk-2c2p']],
    from: 'i2',
    path: 'i2 | #1 | i4, complete active',
  },
  {
    name: 'a wireless link',
    wireless: [['i1 i2']],
    from: 'i2',
    path: 'i2 | ~1 | i1, complete active',
  },
  {
    name: 'a wireless link that is planned',
    wireless: [['i1 i2', 'planned']],
    from: 'i1',
    path: 'i1 | ~1 | i2, complete',
  },
  {
    name: 'through a circuit',
    cables: [['i1 - t1'], ['t2 - i2']],
    circuits: [['t1', 't2']],
    from: 'i1',
    path: 'i1 | #1 | t1 | t2 | #2 | i2, complete active',
  },
  {
    name: "a circuit into a provider's network",
    cables: [['i1 - t1']],
    circuits: [['t1', 't2']],
    landings: { t2: 'n1' },
    from: 'i1',
    path: 'i1 | #1 | t1 | t2 | n1, complete active',
  },
  {
    name: 'a circuit to a site, where no cable is',
    cables: [['i1 - t1']],
    circuits: [['t1', 't2']],
    landings: { t2: 's1' },
    from: 'i1',
    path: 'i1 | #1 | t1 | t2 | s1, active',
  },
  {
    name: 'a circuit with one end',
    cables: [['i1 - t1']],
    circuits: [['t1']],
    from: 'i1',
    path: 'i1 | #1 | t1, active',
  },
  {
    name: 'a circuit whose ends are on the same cable',
    cables: [['i1 - t1 t2']],
    circuits: [['t1', 't2']],
    from: 'i1',
    path: 'i1 | #1 | t1 t2, active split',
  },
]

describe('tracing a path', () => {
  it.each(cases)('$name', ({ from, path, ...drawing }) => {
    const wiring = wiringOf(drawing)
    const origins = words(from).flatMap((name) => wiring.objects.get(nodeNamed(name)) ?? [])
    const traced = origins.length === 0 ? undefined : tracePath(wiring, origins)
    const flags = [
      traced?.isComplete ? 'complete' : '',
      traced?.isActive ? 'active' : '',
      traced?.isSplit ? 'split' : '',
    ]
    expect(
      traced &&
        `${traced.steps.map((step) => step.map(nameOf).join(' ')).join(' | ')}, ${flags.filter(Boolean).join(' ')}`,
    ).toBe(path)
  })

  it('refuses paths that continue in several devices', () => {
    const wiring = wiringOf({
      cables: [['i1 - f1 f2'], ['r1 - i2'], ['r2 - i3']],
      wires: ['f1 r1', 'f2 r2'],
      devices: { r2: 2 },
    })
    const origin = wiring.objects.get('dcim.interface:1')
    expect(() => tracePath(wiring, origin ? [origin] : [])).toThrow(UnsupportedTopology)
  })
})

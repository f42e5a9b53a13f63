/** End of a cable. */
export type CableEnd = 'A' | 'B'
export const OTHER_END = { A: 'B', B: 'A' } as const

/** A position of a connector, both counted from 1. */
export type WireEnd = readonly [connector: number, position: number]

/** The wiring of a cable profile. */
interface Wires {
  /** Number of positions of each connector of an end, in the order of connectors. */
  readonly connectors: { readonly [End in CableEnd]: readonly number[] }
  /** The wire's position at the other end, for a position at one end. */
  readonly across: (end: CableEnd, wire: WireEnd) => WireEnd
}

const straight = (_: CableEnd, wire: WireEnd): WireEnd => wire

const symmetric = (connectors: number, positions: number, across: Wires['across'] = straight): Wires => {
  const list = Array.from({ length: connectors }, () => positions)
  return { connectors: { A: list, B: list }, across }
}

/** One connector of several positions on the A side, one connector for each of them on the B side. */
const breakout = (positions: number): Wires => ({
  connectors: { A: [positions], B: Array.from({ length: positions }, () => 1) },
  across: (end, [connector, position]) => (end === 'A' ? [position, 1] : [1, connector]),
})

/** B connectors of a shuffled breakout in the order of A's positions, connector by connector. */
const SHUFFLED_BREAKOUT: readonly number[] = [1, 2, 5, 6, 3, 4, 7, 8]

const SPECIAL: Readonly<Record<string, Wires>> = {
  // Pairs of positions are swapped between the two connectors.
  'trunk-2c4p-shuffle': symmetric(2, 4, (_, [connector, position]) => {
    const isUpper = position > 2
    if ((connector === 2) === isUpper) return [connector, position]
    return connector === 1 ? [2, position - 2] : [1, position + 2]
  }),
  'trunk-4c4p-shuffle': symmetric(4, 4, (_, [connector, position]) => [position, connector]),
  'breakout-2c4p-8c1p-shuffle': {
    connectors: { A: [4, 4], B: [1, 1, 1, 1, 1, 1, 1, 1] },
    across: (end, [connector, position]) => {
      if (end === 'A') return [SHUFFLED_BREAKOUT[(connector - 1) * 4 + position - 1] ?? 0, 1]
      const at = SHUFFLED_BREAKOUT.indexOf(connector)
      return [Math.floor(at / 4) + 1, (at % 4) + 1]
    },
  },
}

/** The wiring of a cable with that profile; undefined without one. NetBox 4.6.8 dcim/cable_profiles.py. */
export function wiresOf(profile: string | null): Wires | undefined {
  if (!profile) return undefined
  const special = SPECIAL[profile]
  if (special) return special
  const [, kind, connectors, positions] = /^(single|trunk|breakout)-(\d+)c(\d+)p/.exec(profile) ?? []
  if (kind === 'breakout') return breakout(Number(positions))
  return kind === undefined ? undefined : symmetric(Number(connectors), Number(positions))
}

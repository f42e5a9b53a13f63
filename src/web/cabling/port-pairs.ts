/** A port of one side. */
export interface Port {
  readonly id: number
  readonly name: string
}

/** How the ports of two sides are joined. */
export interface PairOrder {
  /** Names of the first ports; empty: from the beginning. A name that is not there: none. */
  readonly firstA: string
  readonly firstB: string
  /** Number of pairs at most. */
  readonly most: number
  /** The far side is counted backwards: its last port first. */
  readonly isReversed: boolean
}

/** A port with the one that is proposed for it. */
export interface PortPair {
  readonly a: Port
  readonly b: Port
}

/** Joins the ports in order, until one side has none left. */
export function pairPorts(
  sideA: readonly Port[],
  sideB: readonly Port[],
  { firstA, firstB, most, isReversed }: PairOrder,
): readonly PortPair[] {
  const near = startingAt(sideA, firstA)
  const far = startingAt(isReversed ? sideB.toReversed() : sideB, firstB)
  return near.slice(0, most).flatMap((a, index) => {
    const b = far[index]
    return b ? [{ a, b }] : []
  })
}

function startingAt(ports: readonly Port[], name: string): readonly Port[] {
  if (name === '') return ports
  const at = ports.findIndex((port) => port.name === name)
  return at < 0 ? [] : ports.slice(at)
}

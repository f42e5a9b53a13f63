import { isPathEndpoint } from './cable-end-types.ts'
import { OTHER_END, wiresOf } from './cable-wires.ts'
import { type CabledObject, type Node, nodeOf } from './cabled-object.ts'
import type { Cable, PortWire, Wiring } from './wiring.ts'

/** The path from origins: near ends, links, far ends, and so on. */
export interface Path {
  readonly steps: readonly (readonly Node[])[]
  /** Ends at endpoints, or in a provider's network. */
  readonly isComplete: boolean
  /** All links are connected. */
  readonly isActive: boolean
  /** Continues in several directions, or in one that cannot be determined. */
  readonly isSplit: boolean
}

/** Thrown for cabling that has no path. The message gives the reason. */
export class UnsupportedTopology extends Error {
  override readonly name = 'UnsupportedTopology'
}

const CONNECTED = 'connected'

/** The cable or wireless link of an object. */
export const linkOf = ({ cable, wirelessLink }: CabledObject): Node | undefined => {
  if (cable !== null) return nodeOf('dcim.cable', cable)
  return wirelessLink === null ? undefined : nodeOf('wireless.wirelesslink', wirelessLink)
}

const areOfOneType = (objects: readonly (CabledObject | undefined)[]): boolean =>
  objects.every((object) => object?.type === objects[0]?.type)

/**
 * The path from origins, which are on the same link; undefined without a link. Throws UnsupportedTopology. NetBox
 * 4.6.8 dcim/models/cables.py, CablePath.from_origin.
 */
export function tracePath(wiring: Wiring, origins: readonly CabledObject[]): Path | undefined {
  return new Tracing(wiring).run(origins)
}

class Tracing {
  readonly #wiring: Wiring
  readonly #steps: Node[][] = []
  /** Stack of positions on the path; later segments pop them. */
  readonly #positions: number[][] = []
  /** Visited nodes with their positions, to stop at loops. */
  readonly #visited = new Set<string>()
  #isComplete = false
  #isActive = true
  #isSplit = false

  constructor(wiring: Wiring) {
    this.#wiring = wiring
  }

  run(origins: readonly CabledObject[]): Path | undefined {
    let near: readonly CabledObject[] | undefined = origins
    while (near && near.length > 0) {
      refuseMixture(near)
      if (this.#partsAt(near) || this.#returnsTo(near)) {
        this.#isSplit = true
        break
      }
      this.#steps.push(near.map(({ node }) => node))
      const [first] = near
      if (first && isPathEndpoint(first.type) && first.positions.length > 0) {
        this.#positions.push([...first.positions])
      }
      const links = [...new Set(near.flatMap((object) => linkOf(object) ?? []))]
      if (links.length === 0) {
        if (this.#steps.length === 1) return undefined
        break
      }
      near = this.#cross(near, links)
    }
    return {
      steps: this.#steps,
      isComplete: this.#isComplete,
      isActive: this.#isActive,
      isSplit: this.#isSplit,
    }
  }

  #returnsTo(near: readonly CabledObject[]): boolean {
    const place = JSON.stringify([near.map(({ node }) => node), this.#positions])
    if (this.#visited.has(place)) return true
    this.#visited.add(place)
    return false
  }

  /** Whether the path splits over several links and the number of ends differs from that of the current positions. */
  #partsAt(near: readonly CabledObject[]): boolean {
    const positions = this.#positions.at(-1)
    return new Set(near.map(linkOf)).size > 1 && positions !== undefined && near.length !== positions.length
  }

  /** Crosses the links; returns the near ends of the next segment, undefined at the end of the path. */
  #cross(near: readonly CabledObject[], links: readonly Node[]): readonly CabledObject[] | undefined {
    const cables = near.flatMap(({ cable }) => cable ?? [])
    if (cables.length > 0 && cables.length < near.filter(linkOf).length) {
      throw new UnsupportedTopology('Cables and wireless links cannot be mixed.')
    }
    if (near.some((object) => linkOf(object) === undefined)) this.#isSplit = true
    this.#steps.push([...links])
    const far = cables.length > 0 ? this.#overCables(near) : this.#overWireless(near)
    if (far === undefined) return undefined
    if (!areOfOneType(far)) {
      this.#isSplit = true
      return undefined
    }
    const there = far.filter((object) => object !== undefined)
    this.#steps.push(there.map(({ node }) => node))
    return this.#passThrough(there, links)
  }

  #overWireless(near: readonly CabledObject[]): (CabledObject | undefined)[] {
    const links = new Set(near.flatMap(({ wirelessLink }) => wirelessLink ?? []))
    const start = near[0]?.node
    return [...links].map((id) => {
      const link = this.#wiring.wirelessLinks.get(id)
      if (link?.status !== CONNECTED) this.#isActive = false
      const [a, b] = link?.ends ?? []
      return this.#wiring.objects.get((a === start ? b : a) ?? '')
    })
  }

  #overCables(near: readonly CabledObject[]): (CabledObject | undefined)[] | undefined {
    const ids = [...new Set(near.flatMap(({ cable }) => cable ?? []))]
    const cables = ids.flatMap((id) => this.#wiring.cables.get(id) ?? [])
    if (cables.some(({ status }) => status !== CONNECTED)) this.#isActive = false
    const [first] = cables
    if (first && wiresOf(first.profile)) return this.#alongWires(near, first)
    // All objects at the other end; without a near termination that end cannot be determined.
    const ends = cables.flatMap((cable) => {
      const termination = cable.terminations.find(({ node }) => near.some((object) => object.node === node))
      return termination ? cable.terminations.filter(({ end }) => end !== termination.end) : []
    })
    const isKnown = cables.some(({ terminations }) =>
      terminations.some(({ node }) => near.some((object) => object.node === node)),
    )
    return isKnown ? ends.map(({ node }) => this.#wiring.objects.get(node)) : undefined
  }

  /** Objects at the other ends of the current wires. */
  #alongWires(near: readonly CabledObject[], cable: Cable): (CabledObject | undefined)[] {
    const positions = this.#positions.pop() ?? near.flatMap((object) => object.positions)
    const pairs = pairUp(near, positions)
    const wires = wiresOf(cable.profile)
    const far = new Map<Node | undefined, CabledObject | undefined>()
    const reached: number[] = []
    for (const { object, position } of pairs) {
      const [connector, farPosition] =
        wires && object.cableEnd && object.connector !== null
          ? wires.across(object.cableEnd, [object.connector, position])
          : []
      const peer = this.#wiring.cables
        .get(object.cable ?? 0)
        ?.terminations.find(
          (candidate) =>
            object.cableEnd !== null &&
            candidate.end === OTHER_END[object.cableEnd] &&
            candidate.connector === connector &&
            farPosition !== undefined &&
            candidate.positions.includes(farPosition),
        )
      const port = this.#atPosition(peer && this.#wiring.objects.get(peer.node), farPosition)
      far.set(port?.node, port)
      if (port && farPosition !== undefined) reached.push(farPosition)
    }
    this.#positions.push(reached)
    const objects = [...far.values()]
    return objects.every((object) => object === undefined) ? [] : objects
  }

  /**
   * The object at a position: at an interface with channels the channel with that position, otherwise the object
   * itself.
   */
  #atPosition(object: CabledObject | undefined, position: number | undefined): CabledObject | undefined {
    if (!object?.isChannelized || position === undefined) return object
    return this.#wiring.channels.get(object.node)?.find(({ positions }) => positions.includes(position))
  }

  #passThrough(far: readonly CabledObject[], links: readonly Node[]): readonly CabledObject[] | undefined {
    const [first] = far
    if (!first) return undefined
    if (first.type === 'dcim.frontport') return this.#throughPorts(far, 'front', 'rear')
    if (first.type === 'dcim.rearport') return this.#throughPorts(far, 'rear', 'front')
    if (first.type === 'circuits.circuittermination') return this.#throughCircuits(far, links)
    this.#isComplete = true
    return undefined
  }

  #throughPorts(
    far: readonly CabledObject[],
    near: 'front' | 'rear',
    other: 'front' | 'rear',
  ): readonly CabledObject[] | undefined {
    let wires: readonly PortWire[] = far.flatMap(({ node }) => this.#wiring.wires.get(node) ?? [])
    if ((far[0]?.width ?? 1) > 1) {
      const positions = this.#positions.pop()
      if (!positions) {
        this.#isSplit = true
        return undefined
      }
      wires = wires.filter((wire) => positions.includes(wire[`${near}Position`]))
    }
    const ports = [...new Set(wires.map((wire) => wire[other]))].flatMap((node) => this.#wiring.objects.get(node) ?? [])
    if (ports.some(({ width }) => width > 1)) {
      this.#positions.push(wires.map((wire) => wire[`${other}Position`]))
    }
    return ports.length === 0 ? undefined : ports
  }

  #throughCircuits(far: readonly CabledObject[], links: readonly Node[]): readonly CabledObject[] | undefined {
    const peers = far.flatMap(({ holder, side }) =>
      (this.#wiring.circuits.get(holder) ?? []).filter((termination) => termination.side !== side),
    )
    if (peers.length === 0) return undefined
    const isInNetwork = ({ landing }: CabledObject) => landing?.startsWith('circuits.providernetwork:') === true
    const lands = peers.every(({ landing, cable }) => landing !== null && cable === null)
    if (peers.every(isInNetwork) || lands) {
      this.#steps.push(
        peers.map(({ node }) => node),
        peers.flatMap(({ landing }) => landing ?? []),
      )
      this.#isComplete = peers.every(isInNetwork)
      return undefined
    }
    if (peers.some((peer) => links.includes(linkOf(peer) ?? ''))) {
      this.#isSplit = true
      return undefined
    }
    return peers
  }
}

function refuseMixture(near: readonly CabledObject[]): void {
  if (!areOfOneType(near)) {
    throw new UnsupportedTopology('All objects at one step of a path must have the same type.')
  }
  const [first] = near
  const isInOnePlace =
    !first ||
    isPathEndpoint(first.type) ||
    first.type === 'circuits.circuittermination' ||
    near.every(({ holder }) => holder === first.holder)
  if (!isInOnePlace) {
    throw new UnsupportedTopology('All objects at one step of a path must belong to the same device.')
  }
}

/** Objects with their share of the positions; if none is assigned, the first object gets all of them. */
function pairUp(
  near: readonly CabledObject[],
  positions: readonly number[],
): { readonly object: CabledObject; readonly position: number }[] {
  const remaining = [...positions]
  const pairs = near.flatMap((object) =>
    object.positions.flatMap((position) => {
      const at = remaining.indexOf(position)
      if (at === -1) return []
      remaining.splice(at, 1)
      return [{ object, position }]
    }),
  )
  const [first] = near
  return pairs.length > 0 || !first ? pairs : positions.map((position) => ({ object: first, position }))
}

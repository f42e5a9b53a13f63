import { firstCharacters } from '../../schema/shortened.ts'
import { type Content, type Html, html } from '../html.ts'

/** Ports that are beside each other on a device: their names differ by their last number, in whose order they are. */
interface Slot<Port> {
  /** The common part of their names: `1/0`. */
  readonly label: string
  readonly ports: readonly PlacedPort<Port>[]
}

interface PlacedPort<Port> {
  readonly port: Port
  /** What is printed on it: its last number, or its name if it has none or is alone. */
  readonly short: string
  /** The last number of its name; undefined if there is none. */
  readonly number: number | undefined
}

/** Maximum number of characters of a name that is shown as a whole. */
const LONGEST = 10
/** Slots with fewer ports have one row. */
const TWO_ROWS = 8
/** Ports of a block, as on the front of a switch: six columns of two. */
const BLOCK = 12

/** The ports of a device or of a module, by slot; each slot has a heading if there are several. */
export function drawnPorts<Port>(
  ports: readonly Port[],
  nameOf: (port: Port) => string,
  draw: (port: Port, short: string) => Html,
): Html {
  const slots = slotsOf(ports, nameOf)
  return html`<div class="runs">${slots.map((slot) => html`<section class="run">${slots.length > 1 && html`<small>${slot.label}</small>`}${slotPorts(slot, draw)}</section>`)}</div>`
}

/** In the order of their first ports. The letters before a slot say the medium (`xe-`, `et-`), so they do not count. */
function slotsOf<Port>(ports: readonly Port[], nameOf: (port: Port) => string): readonly Slot<Port>[] {
  const bySlot = Map.groupBy(ports, (port) => slotOf(nameOf(port)))
  return [...bySlot.values()].flatMap((list) => {
    const numbers = new Set(list.map((port) => lastNumber(nameOf(port))))
    // Two kinds of ports may both begin with 1: `Fa0/1`, `Gi0/1`.
    const runs = numbers.size === list.length ? [list] : [...Map.groupBy(list, (port) => kindOf(nameOf(port))).values()]
    return runs.map((run) => slotWith(run, nameOf, runs.length > 1 ? kindOf : slotOf))
  })
}

function slotWith<Port>(
  ports: readonly Port[],
  nameOf: (port: Port) => string,
  commonPart: (name: string) => string,
): Slot<Port> {
  const placed = ports.map((port) => {
    const [name, number] = [nameOf(port), lastNumber(nameOf(port))]
    const isAlone = ports.length === 1 && name.length <= LONGEST
    return { port, number, short: isAlone || number === undefined ? firstCharacters(name, LONGEST) : String(number) }
  })
  const [first] = ports
  return {
    label: first === undefined ? '' : commonPart(nameOf(first)).replace(/[^\p{L}\p{N}]+$/u, ''),
    ports: placed.toSorted((a, b) => (a.number ?? 0) - (b.number ?? 0)),
  }
}

/** `xe-1/0/5` → `1/0/`; without such a path, the name without its last number. */
const slotOf = (name: string): string => /^\D*((?:\d+[/:.-])+)\d+\D*$/.exec(name)?.[1] ?? kindOf(name)

const kindOf = (name: string): string => name.replace(/\d+\D*$/, '')

function lastNumber(name: string): number | undefined {
  const digits = /(\d+)\D*$/.exec(name)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** The ports of a slot in blocks of two rows, or in one row if they are few. Missing numbers leave gaps. */
function slotPorts<Port>({ ports }: Slot<Port>, draw: (port: Port, short: string) => Html): readonly Html[] {
  const item = ({ port, short }: PlacedPort<Port>, isBelow: boolean): Html =>
    html`<li${isBelow && html` class="below"`}>${draw(port, short)}</li>`
  if (ports.length < TWO_ROWS || ports.some(({ number }) => number === undefined)) {
    return [html`<ol class="ports small">${ports.map((port) => item(port, false))}</ol>`]
  }
  const numbers = ports.map(({ number }) => number ?? 0)
  // Numbers that begin with 0 have the even ones above.
  const base = numbers.includes(0) ? 0 : 1
  const start = base + 2 * Math.floor((Math.min(...numbers) - base) / 2)
  const blocks = Map.groupBy(ports, ({ number }) => Math.floor(((number ?? 0) - start) / BLOCK))
  return [...blocks].map(([block, list]) => {
    const cells: Content[] = []
    let next = start + block * BLOCK
    for (const port of list) {
      const number = port.number ?? 0
      for (; next < number; next += 1) cells.push(html`<li class="gap"></li>`)
      cells.push(item(port, (number - base) % 2 === 1))
      next = number + 1
    }
    return html`<ol class="ports small two-rows">${cells}</ol>`
  })
}

import { portType } from '../../models/dcim/choices/port-type.ts'
import type { FormTexts } from '../forms/form-texts.ts'
import { translate } from '../texts/translate.ts'
import { farName, PAIR, type PairRow } from './connect-form.ts'

/** A port of one side. */
export interface Port {
  readonly id: number
  readonly name: string
  /** Undefined for a port without a type. */
  readonly type?: { readonly value: string; readonly label: string } | undefined
}

/** How the ports of two sides are paired. */
export interface PairOrder {
  /** Names of the first ports; empty: start at the first port. An unknown name results in no ports. */
  readonly firstA: string
  readonly firstB: string
  /** Maximum number of pairs. */
  readonly most: number
  /** The far side is counted backwards: its last port comes first. */
  readonly isReversed: boolean
}

/** A port with the port proposed for it. */
interface PortPair {
  readonly a: Port
  readonly b: Port
}

/** Pairs the ports in order, until one side has none left. */
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

/**
 * Whether a cable between the ports is plausible: connectors of panels are equal (one of them may leave the polish open,
 * as LC does for LC/APC), and neither end is electrical if the other is optical. Ports whose types say nothing fit.
 */
export function fitTogether({ type: a }: Port, { type: b }: Port): boolean {
  if (!a || !b || a.value === b.value) return true
  const [first, second] = [mediumOf(a.value), mediumOf(b.value)]
  if (first !== undefined && second !== undefined && first !== second) return false
  if (!isConnector(a.value) || !isConnector(b.value)) return true
  return a.value.startsWith(`${b.value}-`) || b.value.startsWith(`${a.value}-`)
}

const isConnector = (type: string): boolean => portType.list.some(({ value }) => value === type && value !== 'other')

const OPTICAL_CONNECTORS = /^(fc|lc|mu|lsh|lx5|sc)(-(pc|upc|apc))?$|^(mpo|mtrj|st|cs|sn|mdc|sma-90[56]|urm-p[248])$/
const ELECTRICAL = /^(8p|6p|4p)\d[pc]|^(gg45|tera-[124]p|110-punch|mrj21)$|base-tx?$|base-t1$/
/** Interfaces for fiber, and cages for transceivers, but not backplanes and twinaxial cables. */
const OPTICAL_INTERFACE = /base-(?!t|c[rxu]|k[rxp])/

function mediumOf(type: string): 'electrical' | 'optical' | undefined {
  if (ELECTRICAL.test(type)) return 'electrical'
  return OPTICAL_CONNECTORS.test(type) || OPTICAL_INTERFACE.test(type) ? 'optical' : undefined
}

function startingAt(ports: readonly Port[], name: string): readonly Port[] {
  if (name === '') return ports
  const at = ports.findIndex((port) => port.name === name)
  return at < 0 ? [] : ports.slice(at)
}

/** Ends of the cables in a form, one for each checked row. */
export interface EnteredPairs {
  readonly rows: readonly PairRow[]
  readonly ends: readonly { readonly near: number; readonly far: number }[]
  /** Thrown if a row names a port that is not free. */
  readonly hasErrors: boolean
}

/** The pairs as entered: far ports are given by name. */
export function enteredPairs(near: readonly Port[], far: readonly Port[], texts: FormTexts): EnteredPairs {
  const chosen = new Set(texts.get(PAIR) ?? [])
  const byName = new Map(far.map((port) => [port.name, port.id]))
  const taken = new Set<number>()
  const ends: { near: number; far: number }[] = []
  const rows = near.flatMap(({ id, name }): readonly PairRow[] => {
    const entered = texts.get(farName(id))?.[0]?.trim()
    if (entered === undefined) return []
    const row = { id, name, far: entered, isChosen: chosen.has(String(id)) }
    if (!row.isChosen) return [row]
    const portId = byName.get(entered)
    const error = whyNot(entered, portId, taken)
    if (portId !== undefined && error === undefined) {
      taken.add(portId)
      ends.push({ near: id, far: portId })
    }
    return [{ ...row, error }]
  })
  return { rows, ends, hasErrors: rows.some(({ error }) => error !== undefined) }
}

function whyNot(entered: string, portId: number | undefined, taken: ReadonlySet<number>): string | undefined {
  if (entered === '') return translate('Choose a port, or uncheck this row.')
  if (portId === undefined) return translate('There is no free port of this name.')
  return taken.has(portId) ? translate('Another row already uses this port.') : undefined
}

import type { Refusal } from '../../schema/rule.ts'

/** Types of interfaces without hardware. NetBox 4.7.3 dcim/constants.py. */
const VIRTUAL: ReadonlySet<string> = new Set(['virtual', 'lag', 'bridge', 'channel'])
const CELLULAR: ReadonlySet<string> = new Set(['gsm', 'cdma', 'lte', '4g', '5g'])

export const isVirtual = (type: string): boolean => VIRTUAL.has(type)

export const isWireless = (type: string): boolean =>
  type.startsWith('ieee802.1') || type === 'other-wireless' || CELLULAR.has(type)

const KBPS: Readonly<Record<string, number>> = { '': 1000, M: 1000, g: 1_000_000, G: 1_000_000, t: 1_000_000_000 }

/** Nominal speed of a type of interface in kbps, from its value (`10gbase-t`) or label (`E1 (2.048 Mbps)`), if it says. */
export function nominalSpeed(value: string, label: string): number | undefined {
  const [, ethernet, unit = ''] = /^(\d[\d.]*)([gt]?)base-/.exec(value) ?? []
  const [, fibre] = /^(\d+)gfc-/.exec(value) ?? []
  const [, other, prefix = ''] = /([\d.]+) ([GM])bps/.exec(label) ?? []
  const [number, factor] = ethernet ? [ethernet, KBPS[unit]] : fibre ? [fibre, KBPS.g] : [other, KBPS[prefix]]
  return number === undefined || factor === undefined ? undefined : Math.round(Number(number) * factor)
}

/** Frequency and width in MHz of a wireless channel, from the end of its name. */
export function channelOf(name: string): { readonly frequency: string; readonly width: string } {
  const [, , frequency = '', width = ''] = name.split('-')
  return { frequency, width }
}

// Fields that interfaces and interface templates share. NetBox 4.6.8 dcim/models/mixins.py.

interface Powered {
  readonly type: string
  readonly poe_mode: string | null
  readonly poe_type: string | null
}

export const notBridgedToItself = ({
  next,
}: {
  readonly next: { readonly id: number; readonly bridge: number | null }
}): Refusal | undefined =>
  next.id > 0 && next.bridge === next.id ? { bridge: 'An interface cannot be bridged to itself.' } : undefined

export function powerNeedsHardware({ next }: { readonly next: Powered }): Refusal | undefined {
  const sentence = 'Virtual interfaces cannot use PoE.'
  if (!isVirtual(next.type)) return
  if (next.poe_mode) return { poe_mode: sentence }
  return next.poe_type ? { poe_type: sentence } : undefined
}

export const powerTypeNeedsMode = ({ next }: { readonly next: Powered }): Refusal | undefined =>
  next.poe_type && !next.poe_mode ? { poe_type: 'A PoE type needs a PoE mode.' } : undefined

export const roleNeedsWireless = ({
  next,
}: {
  readonly next: { readonly type: string; readonly rf_role: string | null }
}): Refusal | undefined =>
  next.rf_role && !isWireless(next.type) ? { rf_role: 'Only wireless interfaces have a wireless role.' } : undefined

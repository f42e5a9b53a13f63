import type { Refusal } from '../../schema/rule.ts'
import { isVirtual, isWireless } from './interface-kind.ts'

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
  next.id > 0 && next.bridge === next.id
    ? { bridge: 'An interface cannot be bridged to itself.' }
    : undefined

export function powerNeedsHardware({ next }: { readonly next: Powered }): Refusal | undefined {
  const sentence = 'Virtual interfaces carry no power.'
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
  next.rf_role && !isWireless(next.type)
    ? { rf_role: 'Only wireless interfaces have a wireless role.' }
    : undefined

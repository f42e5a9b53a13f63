import type { Refusal } from '../../schema/rule.ts'

interface InDevice {
  readonly device: number
}

/** What hangs on a component (cables, addresses) belongs to its device. */
export const staysInDevice = ({
  next,
  previous,
}: {
  readonly next: InDevice
  readonly previous: InDevice | undefined
}): Refusal | undefined =>
  previous && previous.device !== next.device
    ? { device: 'A component cannot be moved to another device.' }
    : undefined

/** A cable connects for real; the mark is for what is connected without one. */
export const cableOrMark = ({
  next,
}: {
  readonly next: { readonly cable: number | null; readonly mark_connected: boolean }
}): Refusal | undefined =>
  next.cable !== null && next.mark_connected
    ? { mark_connected: 'A cable is attached already.' }
    : undefined

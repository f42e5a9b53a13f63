import type { Refusal } from '../../schema/rule.ts'

interface InDevice {
  readonly device: number
}

/** Refuses to move a component to another device: its cables and addresses belong to its device. */
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

/** Refuses a component that has a cable and is marked as connected, which is for connections without a cable. */
export const cableOrMark = ({
  next,
}: {
  readonly next: { readonly cable: number | null; readonly mark_connected: boolean }
}): Refusal | undefined =>
  next.cable !== null && next.mark_connected
    ? { mark_connected: 'A cable is attached already.' }
    : undefined

import { parseInterface } from '../../schema/net/ip.ts'

/** Number of addresses from one to the other, both included; 0 for an invalid address. */
export function sizeOfRange(start: string, end: string): number {
  const [first, last] = [parseInterface(start), parseInterface(end)]
  return first && last ? Number(last.value - first.value) + 1 : 0
}

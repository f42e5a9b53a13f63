import { randomBytes } from 'node:crypto'

/** Bits of the counter after the milliseconds: ids of the same millisecond are in the order of their creation. */
const COUNTER = 0x1000

let last = 0
let count = 0

/** A UUID of version 7 at the time `now`, in milliseconds: later ids of this process sort after earlier ones. */
export function deliveryId(now: number): string {
  if (now > last) {
    last = now
    count = 0
  } else if (++count === COUNTER) {
    last += 1
    count = 0
  }
  const time = last.toString(16).padStart(12, '0')
  const order = count.toString(16).padStart(3, '0')
  const random = randomBytes(8)
  random[0] = ((random[0] ?? 0) & 0x3f) | 0x80
  const rest = random.toString('hex')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${order}-${rest.slice(0, 4)}-${rest.slice(4)}`
}

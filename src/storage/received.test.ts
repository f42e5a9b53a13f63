import { expect, it } from 'vitest'
import { Received } from './received.ts'

// Lengths of the parts that arrive one after the other.
const cases = [
  { name: 'nothing', parts: [] },
  { name: 'one part', parts: [5] },
  { name: 'parts that fit', parts: [8192, 8192, 1] },
  { name: 'a part that fills it to the last byte', parts: [1_048_576] },
  { name: 'parts that do not fit', parts: [1_000_000, 100_000, 7_000_000, 3] },
]

it.each(cases)('$name: all of it stands there in order, twice', ({ parts }) => {
  const received = new Received()
  for (const turn of [1, 2]) {
    const sent = parts.map((length, index) => Buffer.alloc(length, 10 * turn + index))
    for (const part of sent) received.add(part)

    expect(received.bytes.equals(Buffer.concat(sent))).toBe(true)
    received.clear()
    expect(received.bytes).toHaveLength(0)
  }
})

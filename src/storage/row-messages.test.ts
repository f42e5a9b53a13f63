import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { type RowBytes, readRow } from './row-bytes.ts'
import { RowMessages } from './row-messages.ts'

const message = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

/** A row with one value. */
const row = (text: string): Buffer => {
  const value = Buffer.from(text)
  const head = Buffer.alloc(6)
  head.writeUInt16BE(1)
  head.writeInt32BE(value.length, 2)
  return message('D', Buffer.concat([head, value]))
}

const LONG = 'é'.repeat(5_000)
const SENT = [
  message('T', Buffer.from('columns')),
  row('one'),
  row(LONG),
  message('N', Buffer.from('a notice')),
  row('two'),
  message('C', Buffer.from('SELECT 3')),
  message('Z', Buffer.from('I')),
]
const BYTES = Buffer.concat(SENT)

/** Values of the rows, and the bytes of all other messages, when the bytes arrive in parts of that length. */
function received(partLength: number, isReceiving: boolean) {
  const stream = new EventEmitter()
  const forwarded: Buffer[] = []
  stream.on('data', (bytes: Buffer) => forwarded.push(Buffer.from(bytes)))
  const messages = new RowMessages(stream)
  const rows: unknown[] = []
  if (isReceiving) {
    messages.receiver = {
      row: (bytes: RowBytes, start) =>
        rows.push(...readRow(bytes, start, [(all, from, to) => all.text(from, to)])),
    }
  }
  for (let start = 0; start < BYTES.length; start += partLength) {
    stream.emit('data', BYTES.subarray(start, start + partLength))
  }
  return { rows, forwarded: Buffer.concat(forwarded) }
}

const others = Buffer.concat(SENT.filter((_, index) => ![1, 2, 4].includes(index)))

describe.each([1, 2, 3, 7, 64, 4_000, BYTES.length])('bytes in parts of %i', (partLength) => {
  it('are split into rows and everything else, in order', () => {
    const { rows, forwarded } = received(partLength, true)
    expect(rows).toEqual(['one', LONG, 'two'])
    expect(forwarded.equals(others)).toBe(true)
  })

  it('are passed on unchanged while nothing receives rows', () => {
    const { rows, forwarded } = received(partLength, false)
    expect(rows).toEqual([])
    expect(forwarded.equals(BYTES)).toBe(true)
  })
})

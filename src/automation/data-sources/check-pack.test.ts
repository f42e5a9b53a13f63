import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { checkPack } from './check-pack.ts'
import type { FetchLimits } from './source-file.ts'

const limits: FetchLimits = {
  ...{ directories: [], networks: [], fileSize: 1_000, totalSize: 1_000, files: 1 },
}
const BLOB = 3
const OFFSET_DELTA = 6

/** A number in groups of seven bits, lowest first. */
function groups(value: number): number[] {
  const low = value % 128
  return value < 128 ? [low] : [low + 128, ...groups(Math.floor(value / 128))]
}

/** An object of a pack file. `size`: the size in its header. */
function packed(type: number, content: Buffer, size = content.length): Buffer {
  const first = type * 16 + (size % 16)
  const rest = Math.floor(size / 16)
  const head = rest === 0 ? [first] : [first + 128, ...groups(rest)]
  const base = type === OFFSET_DELTA ? [1] : []
  return Buffer.concat([Buffer.from([...head, ...base]), deflateSync(content)])
}

const blob = (size: number, claimed?: number) => packed(BLOB, Buffer.alloc(size), claimed)
/** A delta that produces an object of this many bytes. */
const delta = (size: number) => packed(OFFSET_DELTA, Buffer.from([...groups(1), ...groups(size)]))

function pack(objects: readonly Buffer[], count = objects.length): Buffer {
  const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
  header.writeUInt32BE(count, 8)
  return Buffer.concat([header, ...objects, Buffer.alloc(20)])
}

describe('a pack', () => {
  it('within the limits is accepted', () => {
    const objects = [blob(0), blob(1_000), delta(900), blob(17)]
    expect(() => checkPack(pack(objects), limits)).not.toThrow()
  })

  it.each([
    ['with an object that is too large', pack([blob(1_001)]), /too many bytes when they are unpacked/],
    ['with a delta to such an object', pack([blob(1), delta(2 ** 40)]), /too many bytes when they are unpacked/],
    ['with too many objects', pack([], 11), /has 11 objects; a data source may have 1 files/],
    ['whose objects are larger than they claim', pack([blob(900, 10)]), /broken/],
    ['whose objects are smaller than they claim', pack([blob(10, 900)]), /broken/],
    ['that ends early', pack([blob(10)]).subarray(0, 15), /broken/],
    ['with fewer objects than it claims', pack([blob(10)], 2), /broken/],
    ['that is not a pack', Buffer.from('<html>'), /broken/],
  ])('%s is refused', (_, bytes, refusal) => {
    expect(() => checkPack(bytes, limits)).toThrow(refusal)
  })

  it('whose objects are too large in total is refused', () => {
    const objects = Array.from({ length: 11 }, () => delta(1_000))
    const lenient = { ...limits, files: 2 }
    expect(() => checkPack(pack(objects.slice(1)), lenient)).not.toThrow()
    expect(() => checkPack(pack(objects), lenient)).toThrow(/too many bytes when they are unpacked/)
  })
})

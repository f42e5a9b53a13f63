import { inflateSync } from 'node:zlib'
import { type FetchLimits, SyncError } from './source-file.ts'

/** Maximum number of objects (contents, directories, the commit) for each file of a source. */
const OBJECTS_PER_FILE = 10
/** Total bytes of all objects for each byte of a source's files: files that are left out count too. */
const UNPACKED_PER_BYTE = 10
const HEADER = 12
const OFFSET_DELTA = 6
const REFERENCE_DELTA = 7
const HASH = 20

/** The result of `inflateSync` with `info`. */
interface Inflated {
  readonly buffer: Buffer
  /** `bytesWritten`: bytes of the input that have been used. */
  readonly engine: { readonly bytesWritten: number }
}

/**
 * Checks the pack from a git server before it is unpacked: a few bytes can expand to gigabytes. Never holds more than
 * one object, which is no larger than all files of a source. Throws SyncError for a broken pack, or one beyond the
 * limits. Format of packs: git's gitformat-pack.
 */
export function checkPack(pack: Buffer, { files, totalSize }: FetchLimits): void {
  const reader = new PackReader(pack)
  const count = reader.count()
  if (count > OBJECTS_PER_FILE * files) {
    throw new SyncError(`The repository has ${count} objects; a data source may have ${files} files.`)
  }
  let total = 0
  for (let index = 0; index < count; index += 1) {
    const size = reader.nextObject(totalSize)
    total += size
    if (total > UNPACKED_PER_BYTE * totalSize) throw tooLarge('of the repository', totalSize)
  }
}

const tooLarge = (what: string, limit: number): SyncError =>
  new SyncError(
    `The objects ${what} have too many bytes when they are unpacked; all files of a data source may have ${limit}.`,
  )

const broken = (): SyncError => new SyncError('The git server has sent a broken pack.')

class PackReader {
  readonly #pack: Buffer
  #offset = HEADER

  constructor(pack: Buffer) {
    this.#pack = pack
  }

  count(): number {
    if (this.#pack.length < HEADER || this.#pack.toString('latin1', 0, 4) !== 'PACK') throw broken()
    return this.#pack.readUInt32BE(8)
  }

  /** Bytes of the next object after unpacking. Throws SyncError if it has more than `limit`. */
  nextObject(limit: number): number {
    const { type, size } = this.#head()
    if (size > limit) throw tooLarge('of the repository', limit)
    if (type === OFFSET_DELTA) while (this.#byte() & 0x80);
    if (type === REFERENCE_DELTA) this.#offset += HASH
    const data = this.#inflate(size)
    const unpacked = type === OFFSET_DELTA || type === REFERENCE_DELTA ? resultSize(data) : data.length
    if (unpacked > limit) throw tooLarge('of the repository', limit)
    return unpacked
  }

  #head(): { readonly type: number; readonly size: number } {
    let byte = this.#byte()
    const type = (byte >> 4) & 7
    let size = byte & 0xf
    for (let factor = 2 ** 4; byte & 0x80; factor *= 2 ** 7) {
      byte = this.#byte()
      size += (byte & 0x7f) * factor
    }
    return { type, size }
  }

  #byte(): number {
    const byte = this.#pack[this.#offset]
    if (byte === undefined) throw broken()
    this.#offset += 1
    return byte
  }

  #inflate(size: number): Buffer {
    try {
      const options = { maxOutputLength: Math.max(size, 1), info: true }
      const packed = this.#pack.subarray(this.#offset)
      // The types declare only the form without `info`.
      const { buffer, engine } = inflateSync(packed, options) as unknown as Inflated
      if (buffer.length !== size) throw broken()
      this.#offset += engine.bytesWritten
      return buffer
    } catch {
      throw broken()
    }
  }
}

/** Size of the object that a delta creates: the second number at its start. */
function resultSize(delta: Buffer): number {
  let offset = 0
  const next = (): number => {
    let value = 0
    for (let factor = 1; ; factor *= 2 ** 7) {
      const byte = delta[offset]
      if (byte === undefined) throw broken()
      offset += 1
      value += (byte & 0x7f) * factor
      if (!(byte & 0x80)) return value
    }
  }
  next()
  return next()
}

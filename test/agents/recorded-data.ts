import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Document } from '../support/api.ts'

/** The recorded data set, with a file of objects for each endpoint. It exists only on machines of developers and CI. */
export const DATA_SET = join(import.meta.dirname, '../../../shared/reference/dataset')

const read = new Map<string, readonly Document[]>()

/** The objects of an endpoint, such as `dcim/sites`, as the reference recorded them. */
export function rows(endpoint: string): readonly Document[] {
  const existing = read.get(endpoint)
  if (existing) return existing
  const lines = gunzipSync(readFileSync(join(DATA_SET, `${endpoint}.jsonl.gz`)))
    .toString()
    .split('\n')
    .filter((line) => line !== '')
  const objects = lines.map((line): Document => JSON.parse(line))
  read.set(endpoint, objects)
  return objects
}

/** The object of an endpoint with this value of a field. Fails if there is none. */
export function row(endpoint: string, field: string, value: string | number): Document {
  const match = rows(endpoint).find((object) => String(object[field]) === String(value))
  if (!match) throw new Error(`${endpoint} has no object with ${field} = ${value}`)
  return match
}

/** The texts in alphabetical order. */
export const sorted = (texts: readonly unknown[]): readonly string[] => texts.map(String).toSorted()

const parts = (text: string): readonly [address: number, length: number] => {
  const [address = '', length = '32'] = text.split('/')
  return [address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0), Number(length)]
}

const text = (address: number): string => [24, 16, 8, 0].map((bits) => Math.floor(address / 2 ** bits) % 256).join('.')

/** Whether the IPv4 prefix contains the address or prefix. */
export function covers(prefix: string, inner: string): boolean {
  if (prefix.includes(':') || inner.includes(':')) return false
  const [[start, length], [other, innerLength]] = [parts(prefix), parts(inner)]
  const size = 2 ** (32 - length)
  return innerLength >= length && Math.floor(start / size) === Math.floor(other / size)
}

/** The first host address of the IPv4 prefix that is not among those taken. */
export function firstFreeAddress(prefix: string, taken: readonly string[]): string {
  const [start, length] = parts(prefix)
  const used = new Set(taken.filter((address) => !address.includes(':')).map((address) => parts(address)[0]))
  let address = start + 1
  while (used.has(address)) address += 1
  return `${text(address)}/${length}`
}

/** The first block of the IPv4 prefix that no child prefix covers, as large as alignment and children allow. */
export function firstFreePrefix(prefix: string, children: readonly string[]): string {
  const [start] = parts(prefix)
  const taken = children
    .map(parts)
    .map(([address, length]) => [address, address + 2 ** (32 - length)] as const)
    .toSorted(([a], [b]) => a - b)
  let address = start
  for (const [from, to] of taken) if (from <= address) address = Math.max(address, to)
  const next = taken.find(([from]) => from > address)?.[0] ?? Number.POSITIVE_INFINITY
  let size = 1
  while (
    address % (size * 2) === 0 &&
    address + size * 2 <= next &&
    covers(prefix, `${text(address)}/${32 - Math.log2(size * 2)}`)
  ) {
    size *= 2
  }
  return `${text(address)}/${32 - Math.log2(size)}`
}

/** Whole units of a rack that no device covers on the face, by the recorded positions, heights and depths. */
export function freeUnits(rack: Document, face: 'front' | 'rear'): readonly number[] {
  const taken = new Set<number>()
  for (const device of rows('dcim/devices')) {
    if (device.rack === null || Number(device.rack?.id) !== Number(rack.id) || device.position === null) continue
    const type = row('dcim/device-types', 'id', Number(device.device_type?.id))
    if (String(device.face?.value) !== face && String(type.is_full_depth) !== 'true') continue
    const position = Number(device.position)
    for (let unit = position; unit < position + Number(type.u_height); unit += 0.5) taken.add(Math.floor(unit))
  }
  const first = Number(rack.starting_unit)
  return Array.from({ length: Number(rack.u_height) }, (_, index) => first + index).filter((unit) => !taken.has(unit))
}

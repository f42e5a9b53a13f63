/**
 * Decodes messages of Diode's protocol. The encoding is small and will not change
 * (https://protobuf.dev/programming-guides/encoding/); a library would need generated code for 112 messages, while their
 * description is one table here, and only what was sent is decoded: a field that is absent is not there.
 */
import { MESSAGES } from './messages.ts'

/** A decoded message: the sent fields by name. A member of a oneof is the value of the oneof. */
export interface Message {
  readonly type: string
  readonly fields: Readonly<Record<string, Value>>
}
export type Value =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | Message
  | Document
  | readonly Value[]
  | Entries
  | Member
/** The entries of a map. */
export interface Entries {
  readonly entries: Readonly<Record<string, Value>>
}
/** The member of a oneof that was sent. */
export interface Member {
  readonly member: string
  readonly value: Value
}
/** A `google.protobuf.Struct`. */
export interface Document {
  readonly document: Json
}
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** The bytes are not the message. */
export class DecodingError extends Error {}

interface FieldType {
  readonly name: string
  readonly type: string
  readonly isList: boolean
  readonly isMap: boolean
  readonly oneof: string | undefined
}

const FIELD = /^(\d+):(\w+):(\w+)(\*?)(%?)(?:\|(\w+))?$/

const TYPES: ReadonlyMap<string, ReadonlyMap<number, FieldType>> = new Map(
  MESSAGES.trim()
    .split('\n')
    .map((line) => {
      const [name = '', ...fields] = line.split(' ')
      return [name, new Map(fields.map(parseField))] as const
    }),
)

function parseField(text: string): readonly [number, FieldType] {
  const [, number, name = '', type = '', list, map, oneof] = FIELD.exec(text) ?? []
  return [Number(number), { name, type, isList: list === '*', isMap: map === '%', oneof }]
}

/** How deep messages may be nested: a chain of parents, or of interfaces, is one message per link. */
const MAX_DEPTH = 32
/** The depth of the object of an entity: few of them are equal. */
const ENTITY_DEPTH = 2

/** The message in the bytes. Throws DecodingError. */
export const decode = (bytes: Uint8Array, type: string): Message => decodeMessage(new Reader(bytes), type, 0)

function decodeMessage(reader: Reader, type: string, depth: number): Message {
  if (depth > MAX_DEPTH) throw new DecodingError(`messages are nested more than ${MAX_DEPTH} deep`)
  const types = TYPES.get(type)
  const fields: Record<string, Value> = Object.create(null)
  while (!reader.isAtEnd) {
    const { number, wire } = reader.tag()
    const field = types?.get(number)
    if (!field) {
      reader.skip(wire)
      continue
    }
    const { name, isList, isMap, oneof } = field
    if (isMap) {
      const entry = decodeEntry(reader.part(wire), field, depth)
      const map = fields[name]
      const entries = map !== undefined && isEntries(map) ? map.entries : {}
      fields[name] = { entries: { ...entries, ...entry } }
    } else if (isList) {
      const list = fields[name]
      const value = decodeValue(reader, wire, field, depth)
      if (Array.isArray(list)) list.push(value)
      else fields[name] = [value]
    } else {
      const value = decodeValue(reader, wire, field, depth)
      if (oneof === undefined) fields[name] = value
      else fields[oneof] = { member: name, value }
    }
  }
  return { type, fields }
}

export const isMessage = (value: Value): value is Message =>
  typeof value === 'object' && value !== null && 'fields' in value
export const isMember = (value: Value): value is Member =>
  typeof value === 'object' && value !== null && 'member' in value
export const isEntries = (value: Value): value is Entries =>
  typeof value === 'object' && value !== null && 'entries' in value

/** An entry of a map: its key is field 1, its value field 2. */
function decodeEntry(reader: Reader, field: FieldType, depth: number): Readonly<Record<string, Value>> {
  let key = ''
  let value: Value = { type: field.type, fields: {} }
  while (!reader.isAtEnd) {
    const { number, wire } = reader.tag()
    if (number === 1) key = reader.part(wire).text()
    else if (number === 2) value = decodeValue(reader, wire, field, depth)
    else reader.skip(wire)
  }
  return { [key]: value }
}

function decodeValue(reader: Reader, wire: number, { type, name }: FieldType, depth: number): Value {
  switch (type) {
    case 'string':
      return reader.part(wire).text()
    case 'bytes':
      return reader.part(wire).rest()
    case 'int64':
      return Number(BigInt.asIntN(64, reader.integer(wire)))
    case 'bool':
      return reader.integer(wire) !== 0n
    case 'double':
      return reader.double(wire)
    case 'Timestamp':
      return decodeTimestamp(reader.part(wire), name)
    case 'Struct':
      return { document: decodeStruct(reader.part(wire), depth + 1) }
    default:
      return depth < ENTITY_DEPTH
        ? decodeMessage(reader.part(wire), type, depth + 1)
        : reader.part(wire).nested(type, (part) => decodeMessage(part, type, depth + 1))
  }
}

/** ISO 8601 UTC. Seconds are field 1, nanoseconds field 2. */
function decodeTimestamp(reader: Reader, name: string): string {
  let milliseconds = 0
  while (!reader.isAtEnd) {
    const { number, wire } = reader.tag()
    const value = Number(BigInt.asIntN(64, reader.integer(wire)))
    if (number === 1) milliseconds += value * 1_000
    if (number === 2) milliseconds += Math.floor(value / 1_000_000)
  }
  const date = new Date(milliseconds)
  if (Number.isNaN(date.getTime())) throw new DecodingError(`${name} is no time`)
  return date.toISOString()
}

/** `google.protobuf.Struct`: field 1 is a map of values. */
function decodeStruct(reader: Reader, depth: number): Json {
  const object: Record<string, Json> = Object.create(null)
  while (!reader.isAtEnd) {
    const entry = reader.part(reader.tag().wire)
    let key = ''
    let value: Json = null
    while (!entry.isAtEnd) {
      const { number, wire } = entry.tag()
      if (number === 1) key = entry.part(wire).text()
      else value = decodeJson(entry.part(wire), depth)
    }
    object[key] = value
  }
  return object
}

/** `google.protobuf.Value`: null, number, text, boolean, struct or list. */
function decodeJson(reader: Reader, depth: number): Json {
  if (depth > MAX_DEPTH) throw new DecodingError(`a document is nested more than ${MAX_DEPTH} deep`)
  let value: Json = null
  while (!reader.isAtEnd) {
    const { number, wire } = reader.tag()
    if (number === 2) value = reader.double(wire)
    else if (number === 3) value = reader.part(wire).text()
    else if (number === 4) value = reader.integer(wire) !== 0n
    else if (number === 5) value = decodeStruct(reader.part(wire), depth + 1)
    else if (number === 6) value = decodeList(reader.part(wire), depth + 1)
    else reader.skip(wire)
  }
  return value
}

function decodeList(reader: Reader, depth: number): Json {
  const items: Json[] = []
  while (!reader.isAtEnd) items.push(decodeJson(reader.part(reader.tag().wire), depth))
  return items
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })
const VARINT = 0
const FIXED64 = 1
const DELIMITED = 2
const FIXED32 = 5

/** Reads the parts of a message in order. */
class Reader {
  readonly #bytes: Uint8Array
  readonly #equal: Map<string, Message>
  #position = 0

  /** `equal`: the nested messages so far. Each interface contains its device, so most of them repeat an earlier one. */
  constructor(bytes: Uint8Array, equal = new Map<string, Message>()) {
    this.#bytes = bytes
    this.#equal = equal
  }

  nested(type: string, decode: (part: Reader) => Message): Message {
    const key = `${type} ${Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length).toString('latin1')}`
    const message = this.#equal.get(key) ?? decode(this)
    this.#equal.set(key, message)
    return message
  }

  get isAtEnd(): boolean {
    return this.#position >= this.#bytes.length
  }

  tag(): { readonly number: number; readonly wire: number } {
    const tag = Number(this.#varint())
    if (tag < 8) throw new DecodingError('a field has no number')
    return { number: Math.floor(tag / 8), wire: tag % 8 }
  }

  integer(wire: number): bigint {
    this.#require(wire, VARINT)
    return this.#varint()
  }

  double(wire: number): number {
    this.#require(wire, FIXED64)
    const bytes = this.#take(8)
    return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true)
  }

  /** A nested message, or the bytes of a text. */
  part(wire: number): Reader {
    this.#require(wire, DELIMITED)
    return new Reader(this.#take(Number(this.#varint())), this.#equal)
  }

  text(): string {
    let text: string
    try {
      text = UTF8.decode(this.#bytes)
    } catch {
      throw new DecodingError('a text is not UTF-8')
    }
    // The database cannot store it.
    if (text.includes('\0')) throw new DecodingError('a text contains the character NUL')
    return text
  }

  rest(): Uint8Array {
    return this.#bytes
  }

  skip(wire: number): void {
    if (wire === VARINT) this.#varint()
    else if (wire === FIXED64) this.#take(8)
    else if (wire === DELIMITED) this.#take(Number(this.#varint()))
    else if (wire === FIXED32) this.#take(4)
    else throw new DecodingError(`a field has the unknown form ${wire}`)
  }

  #require(wire: number, expected: number): void {
    if (wire !== expected) throw new DecodingError('a field has another form than its type')
  }

  #take(length: number): Uint8Array {
    const end = this.#position + length
    if (end > this.#bytes.length) throw new DecodingError('the message ends early')
    const part = this.#bytes.subarray(this.#position, end)
    this.#position = end
    return part
  }

  #varint(): bigint {
    let value = 0
    let factor = 1
    for (let count = 0; count < 10; count++) {
      const byte = this.#take(1)[0] ?? 0
      if (factor > Number.MAX_SAFE_INTEGER / 256) return this.#longVarint(value, factor, byte, count)
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return BigInt(value)
      factor *= 128
    }
    throw new DecodingError('a number is too long')
  }

  /** The rest of a number that needs more than 53 bits, such as a negative one. */
  #longVarint(low: number, factor: number, first: number, position: number): bigint {
    let value = BigInt(low)
    let shift = BigInt(Math.round(Math.log2(factor)))
    let byte = first
    for (let count = position; count < 10; count++) {
      value += BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return BigInt.asUintN(64, value)
      shift += 7n
      byte = this.#take(1)[0] ?? 0
    }
    throw new DecodingError('a number is too long')
  }
}

/**
 * Decodes messages of Diode's protocol with protobufjs, from a table of their fields: there is no generated code. A field
 * that was not sent is not there.
 */
import type { JsonObject } from 'cadastre'
import protobuf from 'protobufjs/light.js'
import { MESSAGES } from './messages.ts'

/**
 * A decoded message: the sent fields by name. A member of a oneof is the value of the oneof. This and the following are
 * classes because a JSON value can have any keys.
 */
export class Message {
  readonly type: string
  readonly fields: Readonly<Record<string, Value>>

  constructor(type: string, fields: Readonly<Record<string, Value>>) {
    this.type = type
    this.fields = fields
  }
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
  | JsonObject
/** The entries of a map. */
export class Entries {
  readonly entries: Readonly<Record<string, Value>>

  constructor(entries: Readonly<Record<string, Value>>) {
    this.entries = entries
  }
}
/** The member of a oneof that was sent. */
export class Member {
  readonly member: string
  readonly value: Value

  constructor(member: string, value: Value) {
    this.member = member
    this.value = value
  }
}
/** A `google.protobuf.Struct`. */
export class Document {
  readonly document: JsonObject

  constructor(document: JsonObject) {
    this.document = document
  }
}

/** The bytes are not the message. */
export class DecodingError extends Error {}

interface FieldType {
  readonly id: number
  readonly type: string
  readonly rule?: 'repeated'
  readonly keyType?: 'string'
  readonly oneof: string | undefined
}

const FIELD = /^(\d+):(\w+):(\w+)(\*?)(%?)(?:\|(\w+))?$/

/** The fields of the messages, by name. */
const TYPES: ReadonlyMap<string, ReadonlyMap<string, FieldType>> = new Map(
  MESSAGES.trim()
    .split('\n')
    .map((line) => {
      const [name = '', ...fields] = line.split(' ')
      return [name, new Map(fields.map(parseField))] as const
    }),
)

function parseField(text: string): readonly [string, FieldType] {
  const [, id, name = '', type = '', list, map, oneof] = FIELD.exec(text) ?? []
  return [name, { id: Number(id), type, ...(list && { rule: 'repeated' }), ...(map && { keyType: 'string' }), oneof }]
}

/** Google's own messages that these contain, and the ends of cables, which cannot be compared. */
const FURTHER = {
  GenericObject: { fields: {} },
  Timestamp: { fields: { seconds: { id: 1, type: 'int64' }, nanos: { id: 2, type: 'int32' } } },
  Struct: { fields: { fields: { id: 1, type: 'JsonValue', keyType: 'string' } } },
  JsonValue: {
    fields: {
      number: { id: 2, type: 'double' },
      string: { id: 3, type: 'string' },
      bool: { id: 4, type: 'bool' },
      struct: { id: 5, type: 'Struct' },
      list: { id: 6, type: 'JsonList' },
    },
  },
  JsonList: { fields: { values: { id: 1, type: 'JsonValue', rule: 'repeated' } } },
}

const ROOT = protobuf.Root.fromJSON({
  nested: {
    ...Object.fromEntries([...TYPES].map(([name, fields]) => [name, { fields: Object.fromEntries(fields) }])),
    ...FURTHER,
  },
})

/** How deep messages may be nested: a chain of parents, or of interfaces, is one message per link. */
const MAX_DEPTH = 32
/** The depth of the object of an entity: few of them are equal. */
const ENTITY_DEPTH = 2

/** The message in the bytes. Throws DecodingError. */
export function decode(bytes: Uint8Array, type: string): Message {
  const reader = protobuf.Reader.create(bytes)
  reader.discardUnknown = true
  let decoded: object
  try {
    decoded = ROOT.lookupType(type).decode(reader)
  } catch (error) {
    throw new DecodingError(error instanceof Error ? error.message : String(error))
  }
  return new Conversion().message(decoded, type, 0)
}

class Conversion {
  /** The nested messages so far. Each interface contains its device, so most of them repeat an earlier one. */
  readonly #equal = new Map<string, Message>()
  readonly #numbers = new Map<unknown, number>()

  message(decoded: object, type: string, depth: number): Message {
    if (depth > MAX_DEPTH) throw new DecodingError(`messages are nested more than ${MAX_DEPTH} deep`)
    const fields: Record<string, Value> = Object.create(null)
    for (const [name, content] of Object.entries(decoded)) {
      const field = TYPES.get(type)?.get(name)
      // The library adds empty lists and maps, which cannot be sent.
      if (!field || ((field.rule || field.keyType) && Object.keys(content).length === 0)) continue
      if (field.rule) fields[name] = content.map((item: unknown) => this.#value(item, field.type, depth))
      else if (field.keyType) {
        const entries = Object.entries(content).map(([key, item]) => [text(key), this.#value(item, field.type, depth)])
        fields[name] = new Entries(Object.fromEntries(entries))
      } else if (field.oneof === undefined) fields[name] = this.#value(content, field.type, depth)
      else fields[field.oneof] = new Member(name, this.#value(content, field.type, depth))
    }
    const message = new Message(type, fields)
    return depth <= ENTITY_DEPTH ? message : this.#shared(message)
  }

  #value(content: unknown, type: string, depth: number): Value {
    if (typeof content === 'string') return text(content)
    if (type === 'int64') return Number(String(content))
    if (typeof content === 'number' || typeof content === 'boolean' || content instanceof Uint8Array) return content
    if (type === 'Timestamp') return timestamp(content as Readonly<Record<string, unknown>>) // as declared above
    if (type === 'Struct') return new Document(json({ struct: content }, depth) as JsonObject) // a struct is one
    return this.message(content as object, type, depth + 1) // all other types are messages
  }

  /** An earlier message that is equal to this one. */
  #shared(message: Message): Message {
    const part = (value: Value): string => {
      if (typeof value !== 'object' || value === null) return JSON.stringify(value)
      if (value instanceof Message) return `#${this.#numbers.get(value)}`
      if (value instanceof Member) return `${value.member} ${part(value.value)}`
      if (Array.isArray(value)) return `[${value.map(part).join()}]`
      if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
      if (value instanceof Entries) return part(Object.entries(value.entries).map(([name, item]) => [name, item]))
      return JSON.stringify(value)
    }
    const fields = Object.entries(message.fields).map(([name, value]) => `${name}:${part(value)}`)
    const key = `${message.type} ${fields.join()}`
    const earlier = this.#equal.get(key)
    if (earlier) return earlier
    this.#equal.set(key, message)
    this.#numbers.set(message, this.#numbers.size)
    return message
  }
}

/** Throws for a text that the database cannot store. */
function text(value: string): string {
  if (value.includes('\0')) throw new DecodingError('a text contains the character NUL')
  return value
}

/** ISO 8601 UTC. */
function timestamp({ seconds = 0, nanos = 0 }: Readonly<Record<string, unknown>>): string {
  const date = new Date(Number(String(seconds)) * 1_000 + Math.floor(Number(nanos) / 1_000_000))
  if (Number.isNaN(date.getTime())) throw new DecodingError('a time is none')
  return date.toISOString()
}

/** The JSON value in a `google.protobuf.Value`; without content it is null. */
function json(content: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new DecodingError(`a document is nested more than ${MAX_DEPTH} deep`)
  const [[kind, value] = ['null', null]] = Object.entries(content as Readonly<Record<string, unknown>>) // as declared above
  if (kind === 'string') return text(String(value))
  if (kind === 'number' || kind === 'bool') return value
  if (kind === 'struct') {
    const { fields = {} } = value as { readonly fields?: object }
    return Object.fromEntries(Object.entries(fields).map(([name, item]) => [text(name), json(item, depth + 1)]))
  }
  if (kind === 'list') {
    const { values = [] } = value as { readonly values?: readonly unknown[] }
    return values.map((item) => json(item, depth + 1))
  }
  return null
}

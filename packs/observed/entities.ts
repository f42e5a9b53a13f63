/** From the messages of a request to the objects that were observed, in the form in which they are stored. */
import { createHash } from 'node:crypto'
import { genericKeys, isJsonObject, isScalar, isWritable, type Model, parseValue, type Registry } from 'cadastre'
import { hasValue, identityOf, labelOf } from './keys.ts'
import { Document, Entries, Member, Message, type Value } from './protobuf.ts'

/** A reference to another observed object of the source. A class because a JSON value can have any keys. */
export class Reference {
  readonly kind: string
  readonly ref: string

  constructor({ kind, ref }: { readonly kind: string; readonly ref: string }) {
    this.kind = kind
    this.ref = ref
  }
}
export class References {
  readonly refs: readonly Reference[]

  constructor(refs: readonly Reference[]) {
    this.refs = refs
  }
}
/** A value as rows contain it, a reference, or several. */
export type Observed = unknown
export type Values = Readonly<Record<string, Observed>>

/** An observed object of a request. */
export interface ObservedObject {
  /** Name of the model; the name of Diode's kind if no model can take it. */
  readonly kind: string
  /** What identifies it for its source, and the hash of that. */
  readonly identity: string
  readonly key: string
  readonly label: string
  /** It was sent itself, and not only named by another object. */
  isEntity: boolean
  /** The entities that are this object. */
  readonly entities: Message[]
  /** False: it is kept, but not compared. */
  readonly isComparable: boolean
  values: Record<string, Observed>
  /** Why values were left out, by field. */
  readonly problems: Record<string, string>
  /** Id of the object that the source says it is. */
  readonly sourceMatch: number | undefined
}

/** All references in the values. */
export const referencesIn = (values: Values): readonly Reference[] =>
  Object.values(values).flatMap((value) =>
    value instanceof Reference ? [value] : value instanceof References ? value.refs : [],
  )

const mapped = (values: Values, convert: (value: Observed) => Observed): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, convert(value)]))

const isPlain = (value: Observed): boolean =>
  isJsonObject(value) && !(value instanceof Reference || value instanceof References)

/** The values for a JSON column, in which objects that are not references are wrapped: `{"json": …}`. */
export const storedForm = (values: Values): Values =>
  mapped(values, (value) => (isPlain(value) ? { json: value } : value))

/** The values of a JSON column. Objects were not wrapped at first, so that only one with exactly these keys is a wrapper. */
export const valuesIn = (stored: string): Values =>
  mapped(JSON.parse(stored), (value) => {
    if (!isJsonObject(value)) return value
    const keys = Object.keys(value)
    if (keys.length === 1 && keys[0] === 'json') return value.json
    if (isReference(value)) return new Reference(value)
    const { refs } = value
    if (keys.length !== 1 || !Array.isArray(refs) || !refs.every(isReference)) return value
    return new References(refs.map((reference) => new Reference(reference)))
  })

/** Whether a JSON value has the form of a stored reference. */
const isReference = (value: unknown): value is { readonly kind: string; readonly ref: string } =>
  isJsonObject(value) &&
  Object.keys(value).length === 2 &&
  typeof value.kind === 'string' &&
  typeof value.ref === 'string'

/** An object that the source has observed already. */
export interface KnownObject {
  readonly identity: string
  readonly label: string
}

/** The observed objects of the entities, each once. `known`: those that entities name by ids, by type and id. */
export const observedObjects = (
  registry: Registry,
  entities: readonly Message[],
  known: ReadonlyMap<string, KnownObject> = new Map(),
): readonly ObservedObject[] => new Conversion(registry, entities, known).objects()

class Conversion {
  readonly #models: (type: string) => Model | undefined
  readonly #registry: Registry
  readonly #entities: readonly Message[]
  readonly #objects = new Map<string, ObservedObject>()
  readonly #byMessage = new Map<Message, ObservedObject | undefined>()
  readonly #identities = new Map<Message, Identity | undefined>()
  /** The message from which an object was made. */
  readonly #made = new Map<ObservedObject, Message>()
  /** The identities with all their parts, by type and label: a message that lacks a part means the only one. */
  readonly #full = new Map<string, Set<string>>()
  readonly #messages: ReadonlyMap<string, ReadonlySet<Message>>
  readonly #indexed = new Set<string>()
  readonly #known: ReadonlyMap<string, KnownObject>

  constructor(registry: Registry, entities: readonly Message[], known: ReadonlyMap<string, KnownObject>) {
    this.#registry = registry
    this.#known = known
    this.#entities = entities
    this.#models = modelFinder(registry)
    this.#messages = messagesByType(entities)
  }

  objects(): readonly ObservedObject[] {
    for (const entity of this.#entities) {
      const { entity: member } = entity.fields
      if (!(member instanceof Member && member.value instanceof Message)) continue
      const object = this.#objectOf(member.value) ?? this.#kept(member)
      object.isEntity = true
      object.entities.push(entity)
      if (this.#made.get(object) !== member.value) this.#addValues(object, member.value)
    }
    return [...this.#objects.values()]
  }

  /** An entity that cannot be compared. */
  #kept({ member, value }: Member): ObservedObject {
    const key = hashOf(`${member} ${plain(value)}`)
    const existing = this.#objects.get(key)
    if (existing) return existing
    const model = value instanceof Message ? this.#models(value.type) : undefined
    const why = model
      ? 'It lacks the values by which it could be found.'
      : 'Objects of this kind are not part of the inventory.'
    const object: ObservedObject = {
      kind: model?.name ?? member,
      identity: '',
      key,
      label: labelOf(value instanceof Message ? value.fields : {}),
      isEntity: true,
      entities: [],
      isComparable: false,
      values: {},
      problems: { '': why },
      sourceMatch: undefined,
    }
    this.#objects.set(key, object)
    return object
  }

  /** The object that a message describes; undefined if it cannot be told from others. */
  #objectOf(message: Message): ObservedObject | undefined {
    if (this.#byMessage.has(message)) return this.#byMessage.get(message)
    // A message that contains itself does not exist, but a later one may be equal.
    const object = this.#makeObject(message)
    this.#byMessage.set(message, object)
    return object
  }

  #makeObject(message: Message): ObservedObject | undefined {
    const model = this.#models(message.type)
    if (!model) return undefined
    this.#indexFull(message.type)
    const identity = this.#identity(model, message)
    if (identity === undefined) return undefined
    const text = this.#completed(message, identity)
    const key = hashOf(text)
    const existing = this.#objects.get(key)
    if (existing) {
      // What is only named by others has all that any of them says about it.
      if (!existing.isEntity) this.#addValues(existing, message)
      return existing
    }
    const object: ObservedObject = {
      ...{ kind: model.name, identity: text, key, label: identity.label, isEntity: false, entities: [] },
      ...{ isComparable: true, values: {}, problems: {}, sourceMatch: sourceMatchOf(message) },
    }
    this.#objects.set(key, object)
    this.#byMessage.set(message, object)
    this.#made.set(object, message)
    this.#addValues(object, message)
    return object
  }

  /** The identity with the missing parts, if exactly one object of the request has them. */
  #completed({ type }: Message, { text, short, isFull }: Identity): string {
    if (isFull) return text
    const candidates = this.#full.get(`${type} ${short}`)
    const [only, second] = candidates ?? []
    return only !== undefined && second === undefined ? only : text
  }

  #indexFull(type: string): void {
    if (this.#indexed.has(type)) return
    this.#indexed.add(type)
    const model = this.#models(type)
    if (!model) return
    for (const message of this.#messages.get(type) ?? []) {
      const identity = this.#identity(model, message)
      if (!identity?.isFull) continue
      const key = `${type} ${identity.short}`
      this.#full.set(key, (this.#full.get(key) ?? new Set()).add(identity.text))
    }
  }

  #identity(model: Model, message: Message): Identity | undefined {
    if (!this.#identities.has(message)) this.#identities.set(message, this.#makeIdentity(model, message))
    return this.#identities.get(message)
  }

  #makeIdentity(model: Model, message: Message): Identity | undefined {
    const values = this.#identifying(model, message)
    const names = identityOf(model, values)
    if (!names) return undefined
    const parts = names.map((name) => {
      const field = name.replace('?', '')
      const value = values[field]
      if (!hasValue(value)) return [field, ''] as const
      const text = value instanceof Message ? this.#objectOf(value)?.key : textOfValue(value).toLowerCase()
      return [field, text ?? ''] as const
    })
    const object = this.#known.get(`${model.name} ${String(values.id)}`)
    if (object) return { label: labelOf(values) || object.label, text: object.identity, short: '', isFull: true }
    const required = parts.filter((_, index) => !names[index]?.endsWith('?'))
    return {
      label: labelOf(values),
      text: `${model.name} ${JSON.stringify(parts)}`,
      short: JSON.stringify(required),
      isFull: parts.every(([, value]) => value !== ''),
    }
  }

  /** The fields as they were sent, with the slug that follows from the name, and messages of oneofs. */
  #identifying(model: Model, { fields }: Message): Readonly<Record<string, unknown>> {
    const values: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(fields)) {
      if (value instanceof Member) values[this.#genericName(model, name)] = value.value
      else values[name] = value
    }
    return { ...slugFor(model, values), ...values }
  }

  /** The generic relation that a oneof is. */
  #genericName({ fields }: Model, oneof: string): string {
    if (fields.has(oneof)) return oneof
    const entry = [...fields].find(
      ([name, field]) => field.kind === 'genericForeignKey' && genericKeys(name, field).type === `${oneof}_type`,
    )
    return entry?.[0] ?? oneof
  }

  #addValues(object: ObservedObject, message: Message): void {
    const model = this.#models(message.type)
    if (!model || !object.isComparable) return
    for (const [name, value] of Object.entries(message.fields)) {
      if (value instanceof Document || name === 'id') continue
      const outcome = this.#convert(model, name, value, object)
      if ('problem' in outcome) object.problems[name] = outcome.problem
      else Object.assign(object.values, outcome.values)
    }
  }

  #convert(model: Model, name: string, value: Value, owner: ObservedObject): Converted {
    if (name === 'custom_fields' && value instanceof Entries) return customFieldValues(value.entries)
    const key = value instanceof Member ? this.#genericName(model, name) : name
    const field = model.fields.get(key)
    if (!field || !isWritable(field)) return { problem: 'The inventory has no such field.' }
    if (isScalar(field)) {
      const input = field.kind === 'date' && typeof value === 'string' ? value.slice(0, 10) : value
      const outcome = parseValue(this.#registry, field, input)
      if ('refused' in outcome) return { problem: `${JSON.stringify(input)}: ${textOf(outcome.refused)}` }
      return { values: { [key]: outcome.value } }
    }
    const nested = value instanceof Member ? value.value : value
    if (nested === null) return { values: { [key]: null } }
    if (Array.isArray(nested)) {
      const refs = nested.flatMap((item: Value) => this.#reference(item) ?? [])
      return refs.length < nested.length ? { problem: UNCLEAR } : { values: { [key]: new References(refs) } }
    }
    const reference = this.#reference(withOwner(model, key, nested, owner, this.#byMessage))
    return reference ? { values: { [key]: reference } } : { problem: UNCLEAR }
  }

  #reference(value: Value): Reference | undefined {
    const object = value instanceof Message ? this.#objectOf(value) : undefined
    return object && new Reference({ kind: object.kind, ref: object.key })
  }
}

/** The MAC address inside of an interface belongs to that interface. */
function withOwner(
  model: Model,
  name: string,
  value: Value,
  owner: ObservedObject,
  known: Map<Message, ObservedObject | undefined>,
): Value {
  if (name !== 'primary_mac_address' || !(value instanceof Message) || value.fields.assigned_object !== undefined)
    return value
  const itself = new Message(model.name === 'dcim.interface' ? 'Interface' : 'VMInterface', {})
  known.set(itself, owner)
  return new Message(value.type, { ...value.fields, assigned_object: new Member('interface', itself) })
}

interface Identity {
  readonly label: string
  readonly text: string
  /** Without the parts that may be absent. */
  readonly short: string
  readonly isFull: boolean
}

type Converted = { readonly values: Values } | { readonly problem: string }

const UNCLEAR = 'The related object lacks the values by which it could be found.'

/** Custom fields, each with its own presence: `custom_fields.tier`. */
function customFieldValues(entries: Readonly<Record<string, Value>>): Converted {
  const values: Record<string, Observed> = {}
  for (const [name, message] of Object.entries(entries)) {
    if (!(message instanceof Message)) continue
    const { value, multiple_selection: selection } = message.fields
    if (value instanceof Member) {
      const { member, value: content } = value
      if (content instanceof Message) continue
      if (member === 'date') values[`custom_fields.${name}`] = String(content).slice(0, 10)
      else if (member === 'json') values[`custom_fields.${name}`] = parsed(String(content))
      else values[`custom_fields.${name}`] = content
    } else if (selection !== undefined) values[`custom_fields.${name}`] = selection
  }
  return { values }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The values of a relation in rows and bodies; a generic one has two. */
export function relationValues(
  { fields }: Model,
  name: string,
  object: { readonly type: string; readonly id: number } | undefined,
): Readonly<Record<string, unknown>> {
  const field = fields.get(name)
  if (field?.kind !== 'genericForeignKey') return { [name]: object?.id ?? null }
  const keys = genericKeys(name, field)
  return { [keys.type]: object?.type ?? null, [keys.id]: object?.id ?? null }
}

/** The slug that follows from the name of an object that was sent without one. */
export function slugFor(model: Model, values: Readonly<Record<string, unknown>>): { readonly slug?: string } {
  const name = values.name ?? values.model
  if (!model.fields.has('slug') || hasValue(values.slug) || typeof name !== 'string') return {}
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_\s-]/g, '')
    .trim()
    .replaceAll(/[\s-]+/g, '-')
  return slug === '' ? {} : { slug: slug.slice(0, 100) }
}

/** `id`, or `metadata.source_match.netbox_id`: the source knows the object. */
function sourceMatchOf({ fields: { id: known, metadata } }: Message): number | undefined {
  if (typeof known === 'number') return known
  const match = metadata instanceof Document ? metadata.document.source_match : undefined
  const id = isJsonObject(match) ? Number(match.netbox_id) : Number.NaN
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}

/** Models by their names, or by those of messages; the program's own before those of plugins. */
function modelFinder(registry: Registry): (type: string) => Model | undefined {
  const byKey = new Map<string, Model>()
  for (const model of [...registry.models.values()].reverse()) {
    if (model.path !== '' && model.definition.methods === undefined) byKey.set(model.key, model)
  }
  return (type) => byKey.get(type.toLowerCase()) ?? registry.models.get(type)
}

/** All messages, however deep, by their types. */
function messagesByType(entities: readonly Message[]): ReadonlyMap<string, ReadonlySet<Message>> {
  const byType = new Map<string, Set<Message>>()
  const seen = new Set<Value>()
  const visit = (value: Value): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return
    if (value instanceof Member) visit(value.value)
    else if (Array.isArray(value)) for (const item of value) visit(item)
    else if (value instanceof Message) {
      seen.add(value)
      byType.set(value.type, (byType.get(value.type) ?? new Set()).add(value))
      for (const field of Object.values(value.fields)) visit(field)
    }
  }
  for (const entity of entities) visit(entity)
  return byType
}

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 32)

const plain = (value: Value): string =>
  JSON.stringify(value, (_name, part: unknown) =>
    part instanceof Uint8Array ? Buffer.from(part).toString('base64') : part,
  )

const textOfValue = (value: unknown): string => (isJsonObject(value) ? JSON.stringify(value) : String(value))

const textOf = (messages: unknown): string =>
  typeof messages === 'string' ? messages : JSON.stringify(messages).replaceAll(/[[\]"{}]/g, '')

import { expect, vi } from 'vitest'
import type { ApiAnswer } from '../support/api.ts'

/** A process learns of the changes of another one at once; a busy machine may delay it. */
const LATEST = { timeout: 20_000, interval: 50 }

const BASE = '/api/plugins/custom-objects'

/** A step of a sequence: the numbers choose among what there is at that time. */
export type Step = readonly [kind: Kind, first: number, second: number, third: number]

export const KINDS = [
  ...['addType', 'addField', 'addField', 'addField', 'renameField', 'convertField', 'convertField', 'removeField'],
  ...['renameType', 'removeType', 'create', 'create', 'create', 'change', 'change', 'delete'],
  ...['undo', 'undo', 'undo', 'undo', 'restart'],
] as const
export type Kind = (typeof KINDS)[number]

type Value = string | number | null

interface Field {
  readonly id: number
  name: string
  type: 'text' | 'integer'
  isRemoved: boolean
}

interface Item {
  readonly id: number
  isRemoved: boolean
  /** Also those of removed fields. */
  readonly values: Map<Field, Value>
}

interface Type {
  readonly id: number
  slug: string
  isRemoved: boolean
  readonly fields: Field[]
  readonly items: Item[]
}

/** A change that can be undone as long as its things have no later change. */
interface Undo {
  readonly request: string
  readonly number: number
  readonly things: readonly object[]
  /** Undoes the change in the model; the next call repeats it. */
  readonly toggle: () => void
  readonly isPossible: () => boolean
}

/** Sends a request to a process. */
export type Ask = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<Omit<ApiAnswer, 'headers'> & { request: string }>

/** What users expect of their models, as plain lists, beside processes that do the same. */
export class ExpectedModels {
  readonly #types: Type[] = []
  readonly #undos: Undo[] = []
  readonly #run: string
  #count = 0
  /** Number of the last change of a thing: undos of earlier ones would be refused. */
  readonly #changes = new WeakMap<object, number>()

  /** `run` makes the names differ from those of other runs. */
  constructor(run: string) {
    this.#run = run
  }

  /** Sends the step to a process, and changes the model in the same way. */
  async take(ask: Ask, [kind, first, second, third]: Step): Promise<void> {
    const type = pick(this.#types.filter(isPresent), first)
    if (kind === 'restart') return
    if (kind === 'addType') return await this.#addType(ask)
    if (kind === 'undo') return await this.#undo(ask, first)
    if (!type) return await this.#addType(ask)
    const field = pick(type.fields.filter(isPresent), second)
    const item = pick(type.items.filter(isPresent), second)
    if (kind === 'addField') return await this.#addField(ask, type, third)
    if (kind === 'renameType') return await this.#renameType(ask, type)
    if (kind === 'removeType') return third % 3 === 0 ? await this.#removeType(ask, type) : undefined
    if (kind === 'create') return await this.#create(ask, type, third)
    if (kind === 'change' && item) return await this.#change(ask, type, item, third)
    if (kind === 'delete' && item) return await this.#delete(ask, type, item)
    if (kind === 'renameField' && field) return await this.#renameField(ask, type, field)
    if (kind === 'convertField' && field) return await this.#convert(ask, type, field)
    if (kind === 'removeField' && field) return await this.#removeField(ask, type, field)
  }

  /** Waits until the lists of a process are those of the model. */
  async compare(ask: Ask): Promise<void> {
    await vi.waitFor(async () => {
      for (const type of this.#types) {
        const { status, json, text } = await ask('GET', `${BASE}/${type.slug}/?limit=0&ordering=id`)
        if (type.isRemoved) {
          if (!this.#types.some(({ slug, isRemoved }) => slug === type.slug && !isRemoved)) expect(status).toBe(404)
          continue
        }
        expect(status, text).toBe(200)
        const names = new Set(type.fields.map(({ name }) => name))
        const rows = [...(json.results ?? [])].map((row) =>
          Object.fromEntries(Object.entries(row).filter(([name]) => name === 'id' || names.has(name))),
        )
        expect(rows).toEqual(rowsOf(type))
      }
    }, LATEST)
  }

  readonly #name = (prefix: string): string => `${prefix}${this.#run}x${++this.#count}`

  /** Records a change of things, and how to undo it. */
  #changed(
    request: string,
    things: readonly object[],
    toggle: () => void,
    isPossible: () => boolean = () => true,
  ): void {
    const number = ++this.#count
    for (const thing of things) this.#changes.set(thing, number)
    this.#undos.push({ request, number, things, toggle, isPossible })
  }

  async #undo(ask: Ask, choice: number): Promise<void> {
    const possible = this.#undos.filter(
      ({ number, things, isPossible }) => isPossible() && things.every((thing) => this.#changes.get(thing) === number),
    )
    const undo = pick(possible, choice)
    if (!undo) return
    const request = await sent(ask, 'POST', `/api/core/requests/${undo.request}/undo/`, {}, 200)
    this.#undos.splice(this.#undos.indexOf(undo), 1)
    undo.toggle()
    this.#changed(request, undo.things, undo.toggle, undo.isPossible)
  }

  async #addType(ask: Ask): Promise<void> {
    const slug = this.#name('t')
    const { status, text, json } = await ask('POST', `${BASE}/custom-object-types/`, { name: slug, slug })
    expect(status, text).toBe(201)
    this.#types.push({ id: Number(json.id), slug, isRemoved: false, fields: [], items: [] })
  }

  async #renameType(ask: Ask, type: Type): Promise<void> {
    const before = type.slug
    const after = this.#name('t')
    const request = await sent(ask, 'PATCH', `${BASE}/custom-object-types/${type.id}/`, { slug: after }, 200)
    type.slug = after
    this.#changed(request, [type], () => {
      type.slug = type.slug === after ? before : after
    })
  }

  async #removeType(ask: Ask, type: Type): Promise<void> {
    const request = await sent(ask, 'DELETE', `${BASE}/custom-object-types/${type.id}/`, undefined, 204)
    type.isRemoved = true
    const fields = type.fields.filter(isPresent)
    const toggle = () => {
      type.isRemoved = !type.isRemoved
    }
    // A repeated removal does not remove fields that have been added since then, so it is refused.
    const isWhole = () => type.isRemoved || type.fields.filter(isPresent).every((field) => fields.includes(field))
    this.#changed(request, [type, ...fields], toggle, isWhole)
  }

  async #addField(ask: Ask, type: Type, number: number): Promise<void> {
    const name = this.#name('f')
    const kind = number % 2 === 0 ? 'text' : 'integer'
    const body = { custom_object_type: type.id, name, type: kind }
    const { status, text, json, request } = await ask('POST', `${BASE}/custom-object-type-fields/`, body)
    expect(status, text).toBe(201)
    const field: Field = { id: Number(json.id), name, type: kind, isRemoved: false }
    type.fields.push(field)
    this.#toggledField(request, type, field)
  }

  async #removeField(ask: Ask, type: Type, field: Field): Promise<void> {
    const request = await sent(ask, 'DELETE', pathOf(field), undefined, 204)
    field.isRemoved = true
    this.#toggledField(request, type, field)
  }

  #toggledField(request: string, type: Type, field: Field): void {
    this.#changed(
      request,
      [field],
      () => {
        field.isRemoved = !field.isRemoved
      },
      () => isPresent(type),
    )
  }

  async #renameField(ask: Ask, type: Type, field: Field): Promise<void> {
    const before = field.name
    const after = this.#name('f')
    const request = await sent(ask, 'PATCH', pathOf(field), { name: after }, 200)
    field.name = after
    this.#changed(
      request,
      [field],
      () => {
        field.name = field.name === after ? before : after
      },
      () => isPresent(type),
    )
  }

  async #convert(ask: Ask, type: Type, field: Field): Promise<void> {
    const to = field.type === 'text' ? 'integer' : 'text'
    const { status, text, request } = await ask('PATCH', pathOf(field), { type: to })
    const values = () => type.items.map((item) => item.values.get(field) ?? null)
    // Values of deleted objects are in change records only.
    const present = type.items.filter(isPresent).map((item) => item.values.get(field) ?? null)
    if (to === 'integer' && present.some((value) => value !== null && !/^(0|-?[1-9]\d*)$/.test(String(value)))) {
      expect(status, text).toBe(400)
      return
    }
    expect(status, text).toBe(200)
    const toggle = () => {
      field.type = field.type === 'text' ? 'integer' : 'text'
      for (const item of type.items) {
        const value = item.values.get(field) ?? null
        if (value !== null) item.values.set(field, field.type === 'text' ? String(value) : Number(value))
      }
    }
    toggle()
    const isText = () => values().every((value) => value === null || /^(0|-?[1-9]\d*)$/.test(String(value)))
    this.#changed(request, [field], toggle, () => isPresent(type) && isText())
  }

  async #create(ask: Ask, type: Type, number: number): Promise<void> {
    const fields = type.fields.filter(isPresent)
    const values = new Map(fields.map((field, index) => [field, newValue(field, number + index)]))
    const body = Object.fromEntries([...values].map(([{ name }, value]) => [name, value]))
    const { status, text, json, request } = await ask('POST', `${BASE}/${type.slug}/`, body)
    expect(status, text).toBe(201)
    const item: Item = { id: Number(json.id), isRemoved: false, values }
    type.items.push(item)
    this.#toggledItem(request, type, item)
  }

  async #delete(ask: Ask, type: Type, item: Item): Promise<void> {
    const request = await sent(ask, 'DELETE', `${BASE}/${type.slug}/${item.id}/`, undefined, 204)
    item.isRemoved = true
    forgetRemoved(item)
    this.#toggledItem(request, type, item)
  }

  #toggledItem(request: string, type: Type, item: Item): void {
    this.#changed(
      request,
      [item],
      () => {
        item.isRemoved = !item.isRemoved
        forgetRemoved(item)
      },
      () => isPresent(type),
    )
  }

  async #change(ask: Ask, type: Type, item: Item, number: number): Promise<void> {
    const field = pick(type.fields.filter(isPresent), number)
    if (!field) return
    const before = item.values.get(field) ?? null
    const after = newValue(field, number)
    if (before === after) return
    const path = `${BASE}/${type.slug}/${item.id}/`
    const request = await sent(ask, 'PATCH', path, { [field.name]: after }, 200)
    item.values.set(field, after)
    const { name, type: kind } = field
    this.#changed(
      request,
      [item],
      () => {
        item.values.set(field, item.values.get(field) === after ? before : after)
      },
      () => isPresent(type) && isPresent(field) && isPresent(item) && field.name === name && field.type === kind,
    )
  }
}

const isPresent = ({ isRemoved }: { readonly isRemoved: boolean }): boolean => !isRemoved

/** Change records, from which deleted objects are restored, contain the values of the fields of that time. */
const forgetRemoved = ({ values }: Item): void => {
  for (const field of values.keys()) if (field.isRemoved) values.delete(field)
}

const pick = <T>(list: readonly T[], number: number): T | undefined => list[number % Math.max(1, list.length)]

const pathOf = ({ id }: Field): string => `${BASE}/custom-object-type-fields/${id}/`

/** Some texts are numbers, so that some fields can be converted. */
const newValue = ({ type }: Field, number: number): Value => {
  if (number % 5 === 0) return null
  if (type === 'integer') return number % 1000
  return number % 4 === 0 ? `text ${number}` : String(number % 1000)
}

const rowsOf = ({ fields, items }: Type) =>
  items
    .filter(isPresent)
    .toSorted((left, right) => left.id - right.id)
    .map(({ id, values }) => ({
      id,
      ...Object.fromEntries(fields.filter(isPresent).map((field) => [field.name, values.get(field) ?? null])),
    }))

/** Sends a write, and returns the id of the request. */
async function sent(ask: Ask, method: string, path: string, body: unknown, expected: number): Promise<string> {
  const { status, text, request } = await ask(method, path, body)
  expect(status, `${method} ${path} ${text}`).toBe(expected)
  return request
}

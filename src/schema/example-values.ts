import { isStored } from './column.ts'
import type { Field, ScalarField } from './field.ts'
import type { Example } from './fields/kind.ts'
import type { ListItem } from './fields/list.ts'
import type { Json } from './json.ts'
import type { Feature } from './model.ts'
import type { Model, Registry } from './registry.ts'
import { isDemanded, isWritable } from './writable.ts'

export type Body = Readonly<Record<string, Json | Blob>>

/** Id of the n-th example object of a model; undefined if there is none. */
export type FindExample = (model: string, n: number) => number | undefined

/** The body of an example object, or why there is none. */
export interface ExampleBody {
  /** Undefined if a field says that there is no such object. */
  readonly body: Body | undefined
  /** A sentence for each required field without an example. */
  readonly missing: readonly string[]
}

/**
 * The body of the n-th example object of the model: required fields and those that declare an example; `whole` adds each
 * optional field whose value can be derived.
 */
export function exampleBody(
  registry: Registry,
  model: Model,
  n: number,
  find: FindExample,
  { whole }: { readonly whole: boolean },
): ExampleBody {
  const missing: string[] = []
  const parts = [...model.fields].map(([name, field]): Readonly<Record<string, Json | Blob | undefined>> => {
    const isNeeded = isDemanded(field)
    if (!isWritable(field) || (!isNeeded && !isOffered(field, whole))) return {}
    const examples = valuesOf({ registry, model, name, field, n, find })
    if (examples === undefined && isNeeded) {
      missing.push(`${model.name}.${name} has no example: give the field an \`example\`.`)
    }
    return examples ?? {}
  })
  const body: Readonly<Record<string, Json | Blob | undefined>> = Object.assign({}, ...parts)
  return { body: Object.values(body).includes(undefined) ? undefined : (body as Body), missing }
}

const exampleOf = (field: Field): Example | undefined => ('example' in field ? field.example : undefined)

/** Whether examples contain a field that they could do without. */
function isOffered(field: Field, whole: boolean): boolean {
  const example = exampleOf(field)
  if (example !== undefined) return example !== null
  return whole && isStored(field) && field.kind !== 'foreignKey' && field.kind !== 'file'
}

interface Requested {
  readonly registry: Registry
  readonly model: Model
  readonly name: string
  readonly field: Field
  readonly n: number
  readonly find: FindExample
}

/** Keys of the body for the field; undefined if no example can be derived. */
function valuesOf({
  registry,
  model,
  name,
  field,
  n,
  find,
}: Requested): Readonly<Record<string, Json | Blob | undefined>> | undefined {
  const example = exampleOf(field)
  if (field.kind === 'genericForeignKey') {
    const targets = registry.targets(field).map((target) => target.name)
    const candidates = typeof example === 'string' ? [example] : targets
    const type = candidates.find((target) => find(target, n) !== undefined)
    const id = type === undefined ? undefined : find(type, n)
    if (type === undefined || id === undefined) return undefined
    return { [field.typeField ?? `${name}_type`]: type, [field.idField ?? `${name}_id`]: id }
  }
  if (typeof example === 'function') return { [name]: example(n, required(find)) }
  if (field.kind === 'foreignKey' || field.kind === 'manyToMany') {
    const id = find(field.to, n)
    if (id === undefined) return undefined
    return { [name]: field.kind === 'foreignKey' ? id : [id] }
  }
  if (example !== undefined) return { [name]: example }
  const value = isStored(field) ? derived(registry, model, name, field, n) : undefined
  return value === undefined ? undefined : { [name]: value }
}

const required =
  (find: FindExample) =>
  (model: string, n: number): number => {
    const id = find(model, n)
    if (id === undefined) throw new Error(`There is no example object ${n} of ${model}.`)
    return id
  }

/** A value that the field's kind, limits and choices allow; a different one for each n if there are several. */
function derived(
  registry: Registry,
  model: Model,
  name: string,
  field: ScalarField,
  n: number,
): Json | Blob | undefined {
  switch (field.kind) {
    case 'text': {
      const subject = name === 'name' || field.format === 'slug' ? model.key : name
      const text = TEXTS[field.format](`${subject}-${n}`, n)
      const short = text.slice(-(field.max ?? text.length))
      return field.pattern && !field.pattern[0].test(short) ? undefined : short
    }
    case 'integer':
    case 'decimal': {
      const [low, high] = field.range ?? [0, 9]
      return Math.min(Math.max(low, 0) + n, high)
    }
    case 'boolean':
      return field.default === true
    case 'date':
      return `2024-01-0${n}`
    case 'dateTime':
      return `2024-01-0${n}T00:00:00Z`
    case 'json':
      return (field.default as Json | undefined) ?? { key: n }
    case 'uuid':
      return `00000000-0000-4000-8000-00000000000${n}`
    case 'choice':
      return field.choices.list[(n - 1) % field.choices.list.length]?.value
    case 'address':
      return `192.0.2.${n}/24`
    case 'network':
      return `10.${n}.0.0/16`
    case 'hardwareAddress':
      return field.bytes === 6 ? `02:00:00:00:00:0${n}` : `02:00:00:00:00:00:00:0${n}`
    case 'file':
      return new Blob([new Uint8Array(GIF)])
    case 'list':
      return field.choices
        ? [String(field.choices.list[0]?.value)]
        : [ITEMS[field.of](name, Math.max(field.range?.[0] ?? 0, 0) + n)]
    case 'objectTypes':
    case 'objectType': {
      const type = [...registry.models.values()].find(
        (candidate) => candidate.path !== '' && (!field.feature || candidate.has(field.feature as Feature)),
      )?.name
      return field.kind === 'objectTypes' && type !== undefined ? [type] : type
    }
  }
}

// The smallest image: one pixel.
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==', 'base64')

const TEXTS = {
  plain: (text: string) => text,
  slug: (text: string) => text,
  color: (_text: string, n: number) => `00000${n}`,
  url: (text: string) => `https://example.com/${text}`,
  email: (text: string) => `${text}@example.com`,
  timeZone: () => 'Europe/Amsterdam',
}

const ITEMS: Readonly<Record<ListItem, (name: string, n: number) => Json>> = {
  text: (name, n) => `${name}-${n}`,
  portMapping: (_name, n) => `tcp/${8000 + n}`,
  integer: (_name, n) => n,
  network: (_name, n) => `10.${n}.0.0/16`,
  json: (_name, n) => ({ key: n }),
  textPair: (name, n) => [`${name}-${n}`, `${name} ${n}`],
  range: (_name, n) => [n, n],
}

import type { Model, Registry } from '../../schema/registry.ts'
import { translate } from '../texts/translate.ts'

/** Maximum number of objects that one form creates. */
const MOST = 1000

/** Fields in which a pattern represents several values. */
const PATTERN_FIELDS = ['name', 'label', 'position'] as const

/** Contexts of the models whose objects may be named by patterns. */
const OWNERS: ReadonlySet<string> = new Set(['device', 'device_type', 'virtual_machine'])

/** Whether new objects may be created by a pattern: the components of a device, of a type, of a virtual machine. */
export const isNamedByPattern = (registry: Registry, model: Model): boolean =>
  OWNERS.has(registry.view(model).context?.[0] ?? '') && model.fields.get('name')?.kind === 'text'

/** Brackets that are meant as a pattern, even an invalid one. Other brackets are part of the name. */
const INTENDED = /^(?:[a-zA-Z0-9]+[,-])+[a-zA-Z0-9]+$/

/**
 * The values of a pattern: `eth[0-2]` is eth0, eth1, eth2; `[A-C]`, `[1,3,5-7]`, and several brackets together. A text
 * without a pattern is its only value. Undefined for a pattern with a range that ends before it begins or mixes cases,
 * and for more values than a form creates.
 */
export function expandPattern(text: string): readonly string[] | undefined {
  const match = /\[([^[\]]+)\]/.exec(text)
  if (!match?.[1]) return [text]
  const end = match.index + match[0].length
  const endings = expandPattern(text.slice(end))
  if (!endings) return undefined
  const parts = match[1].split(',').map((part) => rangeOf(part.trim()))
  const values = parts.every((part) => part !== undefined) ? parts.flat() : undefined
  if (!values && INTENDED.test(match[1])) return undefined
  const middle = values && /[-,]/.test(match[1]) ? values : [match[0]]
  if (middle.length * endings.length > MOST) return undefined
  const before = text.slice(0, match.index)
  return middle.flatMap((value) => endings.map((after) => `${before}${value}${after}`))
}

/** `3`, `0-47`, `01-12` (with leading zeros), `a-f`; undefined for anything else. */
function rangeOf(part: string): readonly string[] | undefined {
  const [, low, high] = /^(\d{1,6}|[a-z]|[A-Z])-(\d{1,6}|[a-z]|[A-Z])$/.exec(part) ?? []
  if (low === undefined || high === undefined) return /^[\w./]+$/.test(part) ? [part] : undefined
  const kind = [/\d/, /[a-z]/, /[A-Z]/].find((pattern) => pattern.test(low))
  if (!kind?.test(high)) return undefined
  if (/\d/.test(low)) {
    const width = low.startsWith('0') && low.length === high.length ? low.length : 0
    return numbersBetween(Number(low), Number(high))?.map((number) => String(number).padStart(width, '0'))
  }
  return numbersBetween(low.charCodeAt(0), high.charCodeAt(0))?.map((code) => String.fromCharCode(code))
}

const numbersBetween = (low: number, high: number): readonly number[] | undefined =>
  low > high || high - low >= MOST ? undefined : Array.from({ length: high - low + 1 }, (_, index) => low + index)

const unusable = (): string =>
  translate('Write a pattern such as [1-8] or [a-f], in ascending order, with at most {count} values.', {
    count: MOST,
  })

/** Why the patterns of a form cannot be used, by field. */
type PatternErrors = Readonly<Record<string, readonly string[]>>

/**
 * The bodies for a body with patterns; undefined if its name is not a pattern. Other fields with patterns must have as
 * many values as the name.
 */
export function expandBody(body: Readonly<Record<string, unknown>>):
  | {
      readonly bodies: readonly Readonly<Record<string, unknown>>[]
      readonly errors: PatternErrors
    }
  | undefined {
  const names = typeof body.name === 'string' ? expandPattern(body.name) : []
  if (!names) return { bodies: [body], errors: { name: [unusable()] } }
  if (names.length < 2) return undefined
  const errors: Record<string, readonly string[]> = {}
  const lists = PATTERN_FIELDS.flatMap((field) => {
    const value = body[field]
    if (typeof value !== 'string') return []
    const values = expandPattern(value)
    if (!values) {
      errors[field] = [unusable()]
      return []
    }
    if (values.length > 1 && values.length !== names.length) {
      errors[field] = [
        translate('This pattern produces {count} values, but the pattern of the name produces {names}.', {
          count: values.length,
          names: names.length,
        }),
      ]
    }
    return values.length > 1 ? [[field, values] as const] : []
  })
  const links = linksIn(body)
  for (const [field, all] of links) {
    if (all.length % names.length === 0) continue
    errors[field] = [
      translate('{count} positions cannot be divided among {names} objects.', {
        count: all.length,
        names: names.length,
      }),
    ]
  }
  const bodies = names.map((_, index) => ({
    ...body,
    ...Object.fromEntries(lists.map(([field, values]) => [field, values[index] ?? ''])),
    ...Object.fromEntries(links.map(([field, all]) => [field, shareOf(all, index, names.length)])),
  }))
  return { bodies, errors }
}

interface Link {
  readonly position: number
}

/** Links from the positions of a port, which the objects of a pattern divide among themselves in order. */
const linksIn = (body: Readonly<Record<string, unknown>>): readonly [string, readonly Link[]][] =>
  Object.entries(body).flatMap(([field, value]): [string, readonly Link[]][] =>
    Array.isArray(value) && value.length > 0 && value.every(isLink) ? [[field, value]] : [],
  )

const isLink = (item: unknown): item is Link => typeof item === 'object' && item !== null && 'position' in item

const shareOf = (links: readonly Link[], index: number, shares: number): readonly Link[] => {
  const size = Math.floor(links.length / shares)
  return links.slice(index * size, (index + 1) * size).map((link, at) => ({ ...link, position: at + 1 }))
}

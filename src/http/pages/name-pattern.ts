import type { Model, Registry } from '../../schema/registry.ts'
import { translate } from '../../texts/translate.ts'

/** Most objects that one form creates. */
const MOST = 1000

/** Fields in which a pattern stands for several values. */
const PATTERN_FIELDS = ['name', 'label', 'position'] as const

/** Contexts of the models whose objects may be named by patterns. */
const OWNERS: ReadonlySet<string> = new Set(['device', 'device_type', 'virtual_machine'])

/** Whether new objects may be created by a pattern: the components of a device, of a type, of a virtual machine. */
export const isNamedByPattern = (registry: Registry, model: Model): boolean =>
  OWNERS.has(registry.view(model).context?.[0] ?? '') && model.fields.get('name')?.kind === 'text'

/**
 * The values that a pattern stands for: `eth[0-2]` is eth0, eth1, eth2; `[A-C]`, `[1,3,5-7]`, and several brackets
 * together. A text without a pattern stands for itself.
 */
export function expandPattern(text: string): readonly string[] {
  const match = /\[([^[\]]+)\]/.exec(text)
  if (!match?.[1]) return [text]
  const parts = match[1].split(',').map((part) => rangeOf(part.trim()))
  if (parts.some((part) => part === undefined) || !/[-,]/.test(match[1])) return [text]
  const before = text.slice(0, match.index)
  const rest = expandPattern(text.slice(match.index + match[0].length))
  const values = parts.flatMap((part) => part ?? [])
  if (values.length * rest.length > MOST) return [text]
  return values.flatMap((value) => rest.map((end) => `${before}${value}${end}`))
}

/** `3`, `0-47`, `01-12` (with leading zeros), `a-f`; undefined for anything else. */
function rangeOf(part: string): readonly string[] | undefined {
  const [, low, high] = /^([0-9]{1,6}|[a-zA-Z])-([0-9]{1,6}|[a-zA-Z])$/.exec(part) ?? []
  if (low === undefined || high === undefined) return /^[\w./]+$/.test(part) ? [part] : undefined
  if (/\d/.test(low) !== /\d/.test(high)) return undefined
  if (/\d/.test(low)) {
    const width = low.startsWith('0') && low.length === high.length ? low.length : 0
    return numbersBetween(Number(low), Number(high)).map((number) =>
      String(number).padStart(width, '0'),
    )
  }
  return numbersBetween(low.charCodeAt(0), high.charCodeAt(0)).map((code) =>
    String.fromCharCode(code),
  )
}

const numbersBetween = (low: number, high: number): readonly number[] =>
  low > high || high - low >= MOST
    ? []
    : Array.from({ length: high - low + 1 }, (_, index) => low + index)

/** Why the patterns of a form cannot be used, by field. */
export type PatternErrors = Readonly<Record<string, readonly string[]>>

/**
 * The bodies that a body with patterns stands for; undefined where its name is none. Other fields with patterns must
 * stand for as many values as the name.
 */
export function expandBody<Value>(body: Readonly<Record<string, Value | string>>):
  | {
      readonly bodies: readonly Readonly<Record<string, Value | string>>[]
      readonly errors: PatternErrors
    }
  | undefined {
  const names = typeof body.name === 'string' ? expandPattern(body.name) : []
  if (names.length < 2) return undefined
  const errors: Record<string, readonly string[]> = {}
  const lists = PATTERN_FIELDS.flatMap((field) => {
    const value = body[field]
    if (typeof value !== 'string') return []
    const values = expandPattern(value)
    if (values.length > 1 && values.length !== names.length) {
      errors[field] = [
        translate('The pattern stands for {count} values, that of the name for {names}.', {
          count: values.length,
          names: names.length,
        }),
      ]
    }
    return values.length > 1 ? [[field, values] as const] : []
  })
  const bodies = names.map((_, index) => ({
    ...body,
    ...Object.fromEntries(lists.map(([field, values]) => [field, values[index] ?? ''])),
  }))
  return { bodies, errors }
}

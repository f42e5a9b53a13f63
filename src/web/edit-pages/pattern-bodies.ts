import { invalid } from '../../base/errors.ts'
import type { BulkAdd } from '../../schema/view.ts'
import type { Control } from '../components/control.ts'
import type { ControlGroup } from '../forms/edit-controls.ts'
import type { BodyValue, FormBody } from '../forms/form-body.ts'
import { type Text, translate } from '../texts/translate.ts'

/**
 * A body for each value of the pattern. Throws `invalid` for a pattern that cannot be used; returns at most `most`
 * bodies.
 */
export function patternBodies(
  { field, pattern, namedIn = [] }: BulkAdd,
  body: FormBody['body'],
  most: number,
): readonly FormBody['body'][] {
  const values = expandValue(pattern, String(body[field] ?? ''), most)
  if (typeof values === 'string') throw invalid({ [field]: [sentenceOf(values, most)] })
  return values.map((value) => ({
    ...body,
    ...Object.fromEntries(namedIn.map((name) => [name, named(body[name], field, value)])),
    [field]: pattern === 'numbers' ? Number(value) : value,
  }))
}

const named = (text: BodyValue | undefined, field: string, value: string): BodyValue =>
  typeof text === 'string' ? text.replaceAll(`{${field}}`, value) : (text ?? '')

const sentenceOf = (fault: PatternFault, most: number): string =>
  fault === 'tooMany'
    ? translate('The pattern produces more than {count} objects.', { count: most })
    : translate('This pattern is not valid.')

const HINTS: Readonly<Record<BulkAdd['pattern'], Text>> = {
  network: 'Ranges in brackets: 192.0.2.[1-10]/32, 10.[0-3,8].0.0/16, 2001:db8:[a-f]::/64',
  numbers: 'Numbers and ranges, separated by commas: 100,200-210',
}

/** The groups of a form with a pattern in place of the field's own control. */
export const patternGroups = (
  { field, pattern, namedIn = [] }: BulkAdd,
  groups: readonly ControlGroup[],
): readonly ControlGroup[] =>
  groups.map(({ label, controls }) => ({
    label,
    controls: controls.map((control): Control => {
      if (control.name === field) {
        const input = { kind: 'text', type: 'text', value: '', max: 200 } as const
        return { ...control, help: translate(HINTS[pattern]), sentAs: 'text', input }
      }
      if (!namedIn.includes(control.name)) return control
      const help = translate('{place} is replaced with the number: VLAN-{place}.', {
        place: `{${field}}`,
      })
      return { ...control, help }
    }),
  }))

/** Why a pattern has no values: its syntax is wrong, or it produces too many. */
type PatternFault = 'unreadable' | 'tooMany'

/** The values of a pattern, in its order; a text without brackets is its only value. At most `most`. */
export function expandValue(pattern: BulkAdd['pattern'], text: string, most: number): readonly string[] | PatternFault {
  const parts = pattern === 'numbers' ? [rangesIn(text, 10, most)] : networkParts(text, most)
  if (!parts) return 'unreadable'
  let values: readonly string[] = ['']
  for (const part of parts) {
    if (typeof part === 'string') return part
    if (values.length * part.length > most) return 'tooMany'
    values = values.flatMap((start) => part.map((end) => `${start}${end}`))
  }
  return values
}

/** The parts of a network: texts, and the numbers of brackets, which are hexadecimal in an IPv6 network. */
function networkParts(text: string, most: number): readonly (readonly string[] | PatternFault)[] | undefined {
  const base = text.includes(':') ? 16 : 10
  const parts = text.trim().split(/\[([^[\]]*)\]/)
  // Remaining brackets are unmatched.
  if (parts.some((part) => /[[\]]/.test(part))) return undefined
  return parts.map((part, index) => (index % 2 === 0 ? [part] : rangesIn(part, base, most)))
}

const DIGITS = { 10: /^\d{1,9}$/, 16: /^[\da-f]{1,4}$/i } as const

/** The numbers of `1,100-200`, each once, in ascending order. */
function rangesIn(text: string, base: 10 | 16, most: number): readonly string[] | PatternFault {
  const numbers = new Set<number>()
  for (const range of text.split(',')) {
    const [first = '', last = first, ...excess] = range.split('-').map((end) => end.trim())
    if (excess.length > 0 || !DIGITS[base].test(first) || !DIGITS[base].test(last)) return 'unreadable'
    const [low, high] = [Number.parseInt(first, base), Number.parseInt(last, base)]
    if (low > high) return 'unreadable'
    if (high - low >= most) return 'tooMany'
    for (let number = low; number <= high; number++) numbers.add(number)
  }
  if (numbers.size > most) return 'tooMany'
  return [...numbers].sort((a, b) => a - b).map((number) => number.toString(base))
}

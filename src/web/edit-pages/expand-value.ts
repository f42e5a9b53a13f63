import type { BulkAdd } from '../../schema/view.ts'

/** Why a pattern has no values: its syntax is wrong, or it produces too many. */
export type PatternFault = 'unreadable' | 'tooMany'

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
    const [first = '', last = first, ...rest] = range.split('-').map((end) => end.trim())
    if (rest.length > 0 || !DIGITS[base].test(first) || !DIGITS[base].test(last)) return 'unreadable'
    const [low, high] = [Number.parseInt(first, base), Number.parseInt(last, base)]
    if (low > high) return 'unreadable'
    if (high - low >= most) return 'tooMany'
    for (let number = low; number <= high; number++) numbers.add(number)
  }
  if (numbers.size > most) return 'tooMany'
  return [...numbers].sort((a, b) => a - b).map((number) => number.toString(base))
}

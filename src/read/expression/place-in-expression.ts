import { ExpressionError, type Token, tokensOf } from './parse-expression.ts'

/** The name, perhaps empty, at a position of an expression that is being written. */
export interface Place {
  /** Names before it in the same path: `region` in `region.na`. */
  readonly path: readonly string[]
  /** The part of the name before the position. */
  readonly word: string
  /** Positions of the first character of the name, and after its last one. */
  readonly start: number
  readonly end: number
  /** The function in whose parentheses it is. */
  readonly call: string | undefined
  /** The path begins right after the opening parenthesis. */
  readonly isFirst: boolean
}

/** The place of a position; undefined within texts and numbers, and after values, where no name fits. */
export function placeAt(source: string, position: number): Place | undefined {
  const before = source.slice(0, position)
  const [word = ''] = /\w*$/.exec(before) ?? []
  if (/^\d/.test(word)) return undefined
  const start = position - word.length
  const tokens = tokensBefore(source.slice(0, start))
  if (!tokens) return undefined
  const path: string[] = []
  for (;;) {
    const [name, dot] = tokens.slice(-2)
    if (name?.kind !== 'name' || dot?.kind !== 'sign' || dot.text !== '.') break
    path.unshift(name.text)
    tokens.splice(-2)
  }
  const last = tokens.at(-1)
  // No name follows a value.
  if (last?.kind === 'sign' ? /[).]/.test(last.text) : last && !isOperator(last)) return undefined
  const calls: string[] = []
  for (const [index, { kind, text }] of tokens.entries()) {
    const name = tokens[index - 1]
    if (kind === 'sign' && text === '(') calls.push(name?.kind === 'name' ? name.text : '')
    else if (kind === 'sign' && text === ')') calls.pop()
  }
  const [suffix = ''] = /^\w*/.exec(source.slice(position)) ?? []
  const isFirst = last?.kind === 'sign' && last.text === '('
  return { path, word, start, end: position + suffix.length, call: calls.at(-1), isFirst }
}

const isOperator = ({ kind, text }: Token): boolean => kind === 'name' && /^(?:and|or|not)$/.test(text)

/** The tokens of the beginning of an expression; undefined if it ends within a text. */
function tokensBefore(beginning: string): Token[] | undefined {
  try {
    return tokensOf(beginning).slice(0, -1)
  } catch (error) {
    if (error instanceof ExpressionError) return undefined
    throw error
  }
}

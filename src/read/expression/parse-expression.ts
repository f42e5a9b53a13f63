/** A part of an expression, with the position of its first character. */
export type Expression = { readonly at: number } & (
  | { readonly kind: 'literal'; readonly value: string | boolean | null }
  /** An exact number, as it is written. */
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'path'; readonly names: readonly string[]; readonly places: readonly number[] }
  /** `where`: the condition on the related objects that a function counts. */
  | {
      readonly kind: 'call'
      readonly name: string
      readonly arguments: readonly Expression[]
      readonly where?: Expression | undefined
    }
  | { readonly kind: 'unary'; readonly operator: 'not' | '-'; readonly operand: Expression }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Expression; readonly right: Expression }
)

/** What is wrong with an expression, and where. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError'
  /** The message without the place. */
  readonly problem: string
  readonly at: number

  constructor(problem: string, at: number) {
    super(`Character ${at + 1}: ${problem}`)
    this.problem = problem
    this.at = at
  }
}

/** Maximum number of parts of an expression, and of parts within each other. */
const MOST_PARTS = 100
const DEEPEST = 20

const TOKEN = /\s*(?:(\d+(?:\.\d+)?)|('(?:[^']|'')*'|"[^"]*")|([A-Za-z_]\w*)|(<=|>=|!=|<>|[-+*/%&=<>(),.]))/y

export interface Token {
  readonly kind: 'number' | 'text' | 'name' | 'sign' | 'end'
  readonly text: string
  readonly at: number
}

/** The tokens of an expression, with one for its end. Throws ExpressionError. */
export function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  for (let position = 0; source.slice(position).trim() !== ''; position = TOKEN.lastIndex) {
    TOKEN.lastIndex = position
    const match = TOKEN.exec(source)
    const at = position + (/^\s*/.exec(source.slice(position))?.[0].length ?? 0)
    if (!match) throw new ExpressionError(`"${source[at]}" is not expected here.`, at)
    const [, number, text, name, sign = ''] = match
    if (number !== undefined) tokens.push({ kind: 'number', text: number, at })
    else if (text !== undefined) tokens.push({ kind: 'text', text: contentOf(text), at })
    else tokens.push({ kind: name === undefined ? 'sign' : 'name', text: name ?? sign, at })
  }
  return [...tokens, { kind: 'end', text: '', at: source.length }]
}

const contentOf = (quoted: string): string =>
  quoted.startsWith("'") ? quoted.slice(1, -1).replaceAll("''", "'") : quoted.slice(1, -1)

/** Operators by precedence, the weakest first. */
const LEVELS: readonly (readonly string[])[] = [
  ['or'],
  ['and'],
  ['=', '!=', '<>', '<', '<=', '>', '>='],
  ['&'],
  ['+', '-'],
  ['*', '/', '%'],
]

const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])

/** The parts of an expression. Throws ExpressionError. */
export function parseExpression(source: string): Expression {
  const tokens = tokensOf(source)
  let position = 0
  let parts = 0
  const end: Token = { kind: 'end', text: '', at: source.length }
  const next = (): Token => tokens[position] ?? end
  const unexpected = ({ kind, text, at }: Token): never => {
    throw new ExpressionError(kind === 'end' ? 'The expression ends too early.' : `"${text}" is not expected here.`, at)
  }
  const takes = (text: string): boolean => {
    const { kind, text: word } = next()
    const isTaken = (kind === 'sign' || kind === 'name') && word === text
    if (isTaken) position += 1
    return isTaken
  }
  const expect = (text: string): void => {
    if (!takes(text)) unexpected(next())
  }
  const counted = (expression: Expression): Expression => {
    parts += 1
    if (parts > MOST_PARTS) throw new ExpressionError(`An expression has at most ${MOST_PARTS} parts.`, expression.at)
    return expression
  }

  const binary = (level: number, depth: number): Expression => {
    const operators = LEVELS[level]
    if (!operators) return unary(depth)
    let left = binary(level + 1, depth)
    for (;;) {
      const { kind, text: operator } = next()
      if ((kind !== 'sign' && kind !== 'name') || !operators.includes(operator)) return left
      position += 1
      left = counted({ kind: 'binary', operator, left, right: binary(level + 1, depth), at: left.at })
    }
  }
  const unary = (depth: number): Expression => {
    const { at } = next()
    if (depth > DEEPEST) throw new ExpressionError(`Parts can be ${DEEPEST} levels deep.`, at)
    if (takes('-')) return counted({ kind: 'unary', operator: '-', operand: unary(depth + 1), at })
    if (takes('not')) return counted({ kind: 'unary', operator: 'not', operand: unary(depth + 1), at })
    return primary(depth)
  }
  const primary = (depth: number): Expression => {
    const token = next()
    const { kind, text, at } = token
    if (takes('(')) {
      const inner = binary(0, depth + 1)
      expect(')')
      return inner
    }
    if (kind === 'end' || kind === 'sign') return unexpected(token)
    position += 1
    if (kind === 'number') return counted({ kind: 'number', text, at })
    if (kind === 'text') return counted({ kind: 'literal', value: text, at })
    const constant = CONSTANTS.get(text)
    if (constant !== undefined) return counted({ kind: 'literal', value: constant, at })
    return counted(takes('(') ? { kind: 'call', name: text, ...list(depth), at } : path(text, at))
  }
  const list = (depth: number): Pick<Extract<Expression, { kind: 'call' }>, 'arguments' | 'where'> => {
    const items: Expression[] = []
    if (takes(')')) return { arguments: items }
    do items.push(binary(0, depth + 1))
    while (takes(','))
    const where = takes('where') ? binary(0, depth + 1) : undefined
    expect(')')
    return { arguments: items, where }
  }
  const path = (first: string, at: number): Expression => {
    const names = [first]
    const places = [at]
    while (takes('.')) {
      const token = next()
      if (token.kind !== 'name') unexpected(token)
      names.push(token.text)
      places.push(token.at)
      position += 1
    }
    return { kind: 'path', names, places, at }
  }

  const expression = binary(0, 0)
  if (next().kind !== 'end') unexpected(next())
  return expression
}

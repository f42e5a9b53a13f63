import { createHash } from 'node:crypto'
import { isList, isObject, type Json } from './json.ts'

/** Values of a scenario's variables. `base`, `tag` and `ctag` are always set. */
export type Variables = Map<string, Json>

const VARIABLE = /\{([a-z][a-z0-9_]*)\}/g
const WHOLE = /^\{([a-z][a-z0-9_]*)\}$/

/**
 * Initial variables of every scenario, without those of the calling account. Names and AS numbers are derived from
 * the scenario and the salt, so that a run can be repeated and two runs do not collide.
 */
export function initialVariables(scenario: string, salt: string, base: string): Variables {
  const digest = createHash('sha1').update(`${scenario}/${salt}`).digest('hex')
  const tag = `w${digest.slice(0, 6)}`
  const firstAsn = 4_200_000_000 + (Number.parseInt(digest.slice(0, 10), 16) % 900_000) * 100
  const variables: Variables = new Map<string, Json>([
    ['base', base],
    ['tag', tag],
    ['ctag', tag.slice(0, 1).toUpperCase() + tag.slice(1)],
  ])
  for (let index = 0; index < 20; index++) variables.set(`asn${index}`, firstAsn + index)
  return variables
}

/** Three seconds after `now`, in whole seconds: `2030-01-01T00:00:00Z`. */
export function soon(now: Date): string {
  return new Date(now.getTime() + 3000).toISOString().replace(/\.\d+Z$/, 'Z')
}

const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** A text with its variables replaced; a text that consists of one variable gets the variable's type. */
export function fillText(text: string, variables: Variables): Json {
  const whole = WHOLE.exec(text)?.[1]
  const value = whole === undefined ? undefined : variables.get(whole)
  return value === undefined ? fillWithin(text, variables) : value
}

/** A text with its variables replaced, always as text. Other braces are literal. */
export function fillWithin(text: string, variables: Variables): string {
  return text.replace(VARIABLE, (match, name: string) => {
    const value = variables.get(name)
    return value === undefined ? match : asText(value)
  })
}

/** A document with the variables in all of its keys and texts replaced. */
export function fill(value: Json, variables: Variables): Json {
  if (typeof value === 'string') return fillText(value, variables)
  if (isList(value)) return value.map((item) => fill(item, variables))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [fillWithin(key, variables), fill(item, variables)]),
  )
}

/** Names in `known` that a document needs and that have no value yet. */
export function unresolved(value: Json | undefined, variables: Variables, known: ReadonlySet<string>): Set<string> {
  const names = new Set<string>()
  const walk = (node: Json | undefined): void => {
    if (typeof node === 'string') {
      for (const match of node.matchAll(VARIABLE)) {
        const name = match[1]
        if (name !== undefined && known.has(name) && !variables.has(name)) names.add(name)
      }
    } else if (isList(node)) {
      for (const item of node) walk(item)
    } else if (isObject(node)) {
      for (const [key, item] of Object.entries(node)) {
        walk(key)
        walk(item)
      }
    }
  }
  walk(value)
  return names
}

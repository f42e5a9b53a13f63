import { meaningOf } from '../../read/expression/names.ts'
import { type Token, tokensOf } from '../../read/expression/parse-expression.ts'
import { stepNamed } from '../../read/query/named-step.ts'
import { isJsonObject, type Json } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import type { FieldRenaming } from '../../schema/rule.ts'
import type { Step } from '../../schema/step.ts'

/** A field that gets another name, or is removed: then its uses are only found. */
export type Renaming = Omit<FieldRenaming, 'to'> & { readonly to: string | undefined }

/** The value with the new names, as stored for objects of the model. The same value if it names none of the fields. */
export type RenameIn = (value: Json, model: Model, renamings: readonly Renaming[]) => Json

const REMOVED = '(removed)'

/** Names of the JSON value with all custom fields, in paths. */
const CUSTOM_VALUES: ReadonlySet<string> = new Set(['custom_fields', 'custom_field_data', 'cf'])

/** The path with the new name, followed through relations from the model. */
function renamedPath(model: Model, names: readonly string[], renamings: readonly Renaming[]): readonly string[] {
  let here: Model | undefined = model
  const renamed = [...names]
  for (const [index, name] of names.entries()) {
    if (!here) break
    for (const renaming of renamings) {
      if (here.name !== renaming.type) continue
      const { from, isCustom } = renaming
      const to = renaming.to ?? REMOVED
      if (isCustom && CUSTOM_VALUES.has(name) && names[index + 1] === from) renamed[index + 1] = to
      if (isCustom && name === `cf_${from}`) renamed[index] = `cf_${to}`
      if (!isCustom && name === from) renamed[index] = to
      // The column of a relation.
      if (!isCustom && name === `${from}_id`) renamed[index] = `${to}_id`
    }
    const key = stepNamed(here, name)
    const step: Step | undefined = key === undefined ? undefined : here.steps.get(key)
    here = step && step.kind !== 'column' ? step.to : undefined
  }
  return renamed
}

const renamedText = (text: string, separator: string, model: Model, renamings: readonly Renaming[]): string =>
  renamedPath(model, text.split(separator), renamings).join(separator)

/** A term of an order: `-name`. */
const renamedTerm = (term: string, model: Model, renamings: readonly Renaming[]): string =>
  term.startsWith('-') ? `-${renamedTerm(term.slice(1), model, renamings)}` : renamedText(term, '.', model, renamings)

const mapTexts = (value: Json, rename: (text: string) => string): Json => {
  if (typeof value === 'string') return rename(value)
  return Array.isArray(value) ? value.map((item: Json) => mapTexts(item, rename)) : value
}

/** Parameters of a list whose values are names of fields. */
const NAMING_PARAMETERS: ReadonlySet<string> = new Set(['ordering', 'sort', 'group_by', 'fields', 'omit', 'columns'])

export const inParameters: RenameIn = (value, model, renamings) =>
  isJsonObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, item]) =>
          NAMING_PARAMETERS.has(name)
            ? [name, mapTexts(item, (text) => renamedTerm(text, model, renamings))]
            : [renamedText(name, '__', model, renamings), item],
        ),
      )
    : value

export const inColumns: RenameIn = (value, model, renamings) =>
  mapTexts(value, (text) => renamedTerm(text, model, renamings))

export const inConstraints: RenameIn = (value, model, renamings) => {
  if (Array.isArray(value)) return value.map((item: Json) => inConstraints(item, model, renamings))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [renamedText(key, '__', model, renamings), item]),
  )
}

/** Conditions of event rules: `{and: [{attr: 'status.value', value: …}]}`. */
export const inConditions: RenameIn = (value, model, renamings) => {
  if (Array.isArray(value)) return value.map((item: Json) => inConditions(item, model, renamings))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === 'attr' && typeof item === 'string'
        ? renamedText(item, '.', model, renamings)
        : key === 'value'
          ? item
          : inConditions(item, model, renamings),
    ]),
  )
}

export const inExpression: RenameIn = (value, model, renamings) => {
  if (typeof value !== 'string') return value
  let text = value
  for (const { tokens, from } of pathsOf(value, model).toReversed()) {
    if (!from) continue
    const names = renamedPath(
      from,
      tokens.map((token) => token.text),
      renamings,
    )
    for (const [index, token] of [...tokens.entries()].toReversed()) {
      text = `${text.slice(0, token.at)}${names[index]}${text.slice(token.at + token.text.length)}`
    }
  }
  return text
}

/** Names that points join, and the model to which the first one belongs; undefined if that is not known. */
interface WrittenPath {
  readonly tokens: Token[]
  readonly from: Model | undefined
}

/** Parentheses: the model to which names within them belong, and the first path, which may be a list. */
interface Parentheses {
  from: Model | undefined
  first?: WrittenPath | undefined
}

/**
 * The paths of an expression of the model, without names of functions. After `where`, names belong to the objects of the
 * list before it, except for those after `this`.
 */
function pathsOf(expression: string, model: Model): readonly WrittenPath[] {
  const tokens = tokensOf(expression)
  const paths: WrittenPath[] = []
  const open: Parentheses[] = [{ from: model }]
  for (const [index, token] of tokens.entries()) {
    const inner = open.at(-1) ?? { from: model }
    if (isSign(token, '(')) open.push({ from: inner.from })
    else if (isSign(token, ')')) open.pop()
    if (token.kind !== 'name' || isSign(tokens[index + 1], '(')) continue
    const current = paths.at(-1)
    const isContinued = isSign(tokens[index - 1], '.')
    const isAtStart = isContinued && tokens[index - 2]?.text === 'this' && current?.tokens.length === 1
    if (isAtStart) paths.splice(-1, 1, { tokens: [token], from: model })
    else if (isContinued && current) current.tokens.push(token)
    else if (token.text === 'where' && inner.first) inner.from = modelOfList(inner.first)
    else paths.push({ tokens: [token], from: inner.from })
    inner.first ??= paths.at(-1)
  }
  return paths
}

/** The model of the objects of a list, such as `interfaces`, or `site.racks.u_height`. */
function modelOfList({ tokens, from }: WrittenPath): Model | undefined {
  let here = from
  for (const { text } of tokens) {
    const meaning = here && meaningOf(here, text)
    if (meaning?.kind === 'several') return meaning.to
    here = meaning?.kind === 'one' ? meaning.to : undefined
  }
  return undefined
}

const isSign = (token: Token | undefined, text: string): boolean => token?.kind === 'sign' && token.text === text

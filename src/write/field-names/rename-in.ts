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
  for (const path of pathsOf(value).toReversed()) {
    const names = renamedPath(
      model,
      path.map((token) => token.text),
      renamings,
    )
    for (const [index, token] of [...path.entries()].toReversed()) {
      text = `${text.slice(0, token.at)}${names[index]}${text.slice(token.at + token.text.length)}`
    }
  }
  return text
}

/** The paths of an expression: names that points join, without those of functions. */
function pathsOf(expression: string): readonly (readonly Token[])[] {
  const tokens = tokensOf(expression)
  const paths: Token[][] = []
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'name' || isSign(tokens[index + 1], '(')) continue
    const current = paths.at(-1)
    if (isSign(tokens[index - 1], '.') && current) current.push(token)
    else paths.push([token])
  }
  return paths
}

const isSign = (token: Token | undefined, text: string): boolean => token?.kind === 'sign' && token.text === text

import { isScalar, type ScalarField } from '../../schema/field.ts'
import type { Model } from '../../schema/registry.ts'
import type { Relation } from '../query/join-step.ts'
import { aggregateNamed, NUMBERS, type ValueType } from './functions.ts'
import { type Containment, containmentNamed, containmentNames, type Link, linkNamed, linksOf } from './links.ts'
import type { Place } from './place-in-expression.ts'

/** Whether a user may view objects of a model. */
export type MayView = (model: Model) => boolean

/** A name that expressions can read: with the type of its value, and of a relation with its model. */
interface ReadableName {
  readonly name: string
  /** Undefined for relations to several objects. */
  readonly type: ValueType | undefined
  readonly to?: Model
}

const FIELD_TYPES: Readonly<Record<ScalarField['kind'], ValueType | undefined>> = {
  ...{ text: 'text', choice: 'text', uuid: 'text', address: 'text', network: 'text', hardwareAddress: 'text' },
  ...{ objectType: 'text', integer: 'integer', decimal: 'decimal', boolean: 'boolean', date: 'date' },
  ...{ dateTime: 'dateTime', file: undefined, json: undefined, list: undefined, objectTypes: undefined },
}

/** The type of a visible field with one value; undefined if expressions cannot read it. */
function typeOfField(model: Model, name: string): ValueType | undefined {
  if (name === 'id') return 'integer'
  if (name === 'display') return 'text'
  const field = model.fields.get(name)
  if (!model.answer.includes(name)) return undefined
  if (!field) return typeOfGenericKey(model, name)
  if ('writeOnly' in field && field.writeOnly) return undefined
  if ('isSecret' in field && field.isSecret) return undefined
  if (field.kind === 'derived') return field.expression === undefined && field.type !== 'json' ? field.type : undefined
  if (field.kind === 'choice' && !field.choices.list.every(({ value }) => typeof value === 'string')) return 'integer'
  if (field.kind === 'counter') return 'integer'
  return isScalar(field) ? FIELD_TYPES[field.kind] : undefined
}

/** The columns of a relation to objects of several types: their type and id. */
function typeOfGenericKey(model: Model, name: string): ValueType | undefined {
  const step = model.steps.get(name)
  if (step?.kind !== 'column' || step.column.field.kind !== 'genericForeignKey') return undefined
  return step.column.type === 'text' ? 'text' : 'integer'
}

/** A relation that leads to several objects. */
export type ToSeveral = Exclude<Relation, { kind: 'foreignKey' | 'genericTo' }> | Link | Containment

/** What a name means in an expression: a value of the object, another object, or several. */
export type Meaning =
  | { readonly kind: 'value'; readonly type: ValueType }
  | { readonly kind: 'one'; readonly step: Relation; readonly to: Model }
  | { readonly kind: 'several'; readonly step: ToSeveral; readonly to: Model }

/** What the name means in an expression of the model; undefined if expressions cannot read it. */
export function meaningOf(model: Model, name: string): Meaning | undefined {
  const step = model.steps.get(name)
  if (step?.kind === 'foreignKey') return model.answer.includes(name) ? { kind: 'one', step, to: step.to } : undefined
  if (step && step.kind !== 'column' && step.kind !== 'genericTo') {
    return isReadable(step.to) ? { kind: 'several', step, to: step.to } : undefined
  }
  const link = linkNamed(model, name) ?? containmentNamed(model, name)
  if (link) return { kind: 'several', step: link, to: link.to }
  const type = typeOfField(model, name)
  return type && { kind: 'value', type }
}

/** Models without an address belong to the service itself, unless they are parts of objects. */
const isReadable = ({ path, definition: { graphql } }: Model): boolean =>
  path !== '' || (graphql !== undefined && graphql !== false && graphql.isPart === true)

/** Fields with one value, and relations to one object that the user may view, in the order of responses. */
export const readableValues = (model: Model, mayView: MayView): readonly ReadableName[] =>
  mayView(model)
    ? model.answer.flatMap((name): ReadableName[] => {
        const meaning = meaningOf(model, name)
        if (meaning?.kind === 'one') return mayView(meaning.to) ? [{ name, type: 'text', to: meaning.to }] : []
        return meaning?.kind === 'value' ? [{ name, type: meaning.type }] : []
      })
    : []

/** Relations to several objects that the user may view, without those that only the service itself uses. */
const readableLists = (model: Model, mayView: MayView): readonly ReadableName[] =>
  [...model.steps.keys(), ...linksOf(model), ...containmentNames(model)].flatMap((name) => {
    const meaning = meaningOf(model, name)
    if (meaning?.kind !== 'several' || !mayView(meaning.to)) return []
    // The columns of trees and scopes that the service derives begin with an underscore.
    const isDerived = meaning.step.kind === 'reverseForeignKey' && meaning.step.column.name.startsWith('_')
    return isDerived ? [] : [{ name, type: undefined, to: meaning.to }]
  })

/** What fits at a place of an expression. */
interface Fitting {
  /** The model to which the names belong. */
  readonly model: Model
  readonly names: readonly ReadableName[]
  readonly hasFunctions: boolean
  /** The names are those of its custom fields. */
  readonly hasCustomFields: boolean
}

/** What fits at a place of an expression of the model; undefined if no name does. */
export function fittingAt(model: Model, { path, call, isFirst }: Place, mayView: MayView): Fitting | undefined {
  const aggregates = call !== undefined && aggregateNamed(call) !== undefined
  if (!mayView(model) || (aggregates && !isFirst)) return undefined
  let here = model
  /** Index in the path of the first name that is read from one object; undefined before a relation to several. */
  let start = aggregates ? undefined : 0
  for (const [index, name] of path.entries()) {
    if (name === 'cf' && index === start && index === path.length - 1 && here.has('customFields')) {
      return { model: here, names: [], hasFunctions: false, hasCustomFields: true }
    }
    const meaning = meaningOf(here, name)
    if (!meaning || meaning.kind === 'value' || !mayView(meaning.to)) return undefined
    if (meaning.kind === 'several' && start !== undefined) return undefined
    if (meaning.kind === 'several') start = index + 1
    here = meaning.to
  }
  if (call === 'count' && start !== undefined) return undefined
  const needsNumber = call === 'sum' || call === 'avg'
  const names = readableValues(here, mayView).filter(
    ({ type, to }) => to || (start !== undefined && !(needsNumber && type && !NUMBERS.has(type))),
  )
  if (start === undefined) names.unshift(...readableLists(here, mayView))
  else if (start === path.length && here.has('customFields')) names.push({ name: 'cf', type: undefined })
  return { model: here, names, hasFunctions: path.length === 0 && !aggregates, hasCustomFields: false }
}

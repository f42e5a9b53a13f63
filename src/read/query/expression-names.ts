import type { Place } from '../../schema/expression/place-in-expression.ts'
import type { Model } from '../../schema/registry.ts'
import type { Step } from '../../schema/step.ts'
import { isAggregate, NUMBERS, type ValueType } from './expression-functions.ts'
import type { Relation } from './join-step.ts'

/** Whether a user may view objects of a model. */
export type MayView = (model: Model) => boolean

/** A name that expressions can read: with the type of its value, and of a relation with its model. */
interface ReadableName {
  readonly name: string
  /** Undefined for relations to several objects. */
  readonly type: ValueType | undefined
  readonly to?: Model
}

const FIELD_TYPES: Readonly<Record<string, ValueType>> = {
  ...{ text: 'text', choice: 'text', uuid: 'text', address: 'text', network: 'text', hardwareAddress: 'text' },
  ...{ objectType: 'text', integer: 'integer', decimal: 'decimal', boolean: 'boolean', date: 'date' },
  ...{ dateTime: 'dateTime', counter: 'integer' },
}

/** The type of a visible field with one value; undefined if expressions cannot read it. */
export function typeOfField(model: Model, name: string): ValueType | undefined {
  if (name === 'id') return 'integer'
  const field = model.fields.get(name)
  if (!field || !model.answer.includes(name)) return undefined
  if ('writeOnly' in field && field.writeOnly) return undefined
  if ('isSecret' in field && field.isSecret) return undefined
  if (field.kind === 'derived') return field.expression === undefined && field.type !== 'json' ? field.type : undefined
  if (field.kind === 'choice' && !field.choices.list.every(({ value }) => typeof value === 'string')) return 'integer'
  return FIELD_TYPES[field.kind]
}

/** Whether the step leads to several objects, which functions such as `count` take. */
export const leadsToSeveral = (step: Step): step is Exclude<Relation, { kind: 'foreignKey' | 'genericTo' }> =>
  step.kind !== 'column' && step.kind !== 'foreignKey' && step.kind !== 'genericTo'

/** Fields with one value, and relations to one object that the user may view, in the order of responses. */
export const readableValues = (model: Model, mayView: MayView): readonly ReadableName[] =>
  mayView(model)
    ? model.answer.flatMap((name): ReadableName[] => {
        const step = model.steps.get(name)
        if (step?.kind === 'foreignKey') return mayView(step.to) ? [{ name, type: 'text', to: step.to }] : []
        const type = name === 'display' ? 'text' : typeOfField(model, name)
        return type ? [{ name, type }] : []
      })
    : []

/** Relations to several objects that the user may view, without those that only the service itself uses. */
const readableLists = (model: Model, mayView: MayView): readonly ReadableName[] =>
  [...model.steps].flatMap(([name, step]) => {
    if (!leadsToSeveral(step) || step.to.path === '' || !mayView(step.to)) return []
    // The columns of trees and scopes that the service derives begin with an underscore.
    const isDerived = step.kind === 'reverseForeignKey' && step.column.name.startsWith('_')
    return isDerived ? [] : [{ name, type: undefined, to: step.to }]
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
  const aggregates = call !== undefined && isAggregate(call)
  if (!mayView(model) || (aggregates && !isFirst)) return undefined
  let here = model
  /** Index in the path of the first name that is read from one object; undefined before a relation to several. */
  let start = aggregates ? undefined : 0
  for (const [index, name] of path.entries()) {
    if (name === 'cf' && index === start && index === path.length - 1 && here.has('customFields')) {
      return { model: here, names: [], hasFunctions: false, hasCustomFields: true }
    }
    const step = here.steps.get(name)
    if (!step || step.kind === 'column' || !mayView(step.to)) return undefined
    if (leadsToSeveral(step) && start !== undefined) return undefined
    if (leadsToSeveral(step)) start = index + 1
    here = step.to
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

import { className } from '../../../schema/class-name.ts'
import type { Field } from '../../../schema/field.ts'
import { genericKeys } from '../../../schema/generic-keys.ts'
import type { Json } from '../../../schema/json.ts'
import type { Model, Registry } from '../../../schema/registry.ts'
import type { Step } from '../../../schema/step.ts'
import { isRequired, isWritable } from '../../../schema/writable.ts'
import { describeModels, isVisible } from './model-descriptions.ts'

/** What Python needs to know of a field to make and check an object. */
interface FieldFacts {
  readonly kind: string
  readonly writable: boolean
  readonly required?: true
  readonly nullable?: true
  /** The API fills it with the user of the request. */
  readonly fromUser?: true
  readonly default?: Json
  readonly max?: number
  readonly range?: readonly [number, number]
  readonly format?: string
  readonly label: string
}

/** What Python needs to know of a model beside its description for templates. */
interface ModelFacts {
  readonly labels: readonly [string, string]
  readonly fields: Readonly<Record<string, FieldFacts>>
  /** Sets of fields in which no two objects agree. */
  readonly unique: readonly (readonly string[])[]
  /** Template of `str()`; null: the service computes it. */
  readonly display: string | null
  readonly inverse: Readonly<Record<string, Inverse>>
}

/** The models as Python scripts see them, by name. */
export function modelFacts(registry: Registry, basePath: string): Readonly<Record<string, object>> {
  const descriptions = describeModels(registry, basePath)
  const models = [...registry.models.values()].filter(isVisible).map((model) => {
    const facts: ModelFacts = {
      labels: model.definition.labels,
      fields: Object.fromEntries([...model.fields].map(([name, field]) => [name, factsOf(name, field)])),
      unique: uniqueSets(model),
      display: typeof model.definition.display === 'string' ? model.definition.display : null,
      inverse: Object.fromEntries(
        [...model.steps].flatMap(([name, step]) => {
          const inverse = inverseOf(model, name, step)
          return inverse ? [[name, inverse]] : []
        }),
      ),
    }
    return [model.name, { ...descriptions[model.name], ...facts }]
  })
  return Object.fromEntries(models)
}

function factsOf(name: string, field: Field): FieldFacts {
  const { kind } = field
  const isBlankable = kind === 'text' && (field.blank === true || field.default !== undefined)
  return {
    kind,
    writable: isWritable(field),
    ...(isRequired(field) && !isBlankable && { required: true }),
    ...('nullable' in field && field.nullable === true && { nullable: true }),
    ...('defaultFrom' in field && field.defaultFrom === 'user' && { fromUser: true }),
    // Defaults are values of bodies.
    ...('default' in field && field.default !== undefined && { default: field.default as Json }),
    ...('max' in field && typeof field.max === 'number' && { max: field.max }),
    ...rangeOf(field),
    ...(kind === 'text' && field.format !== 'plain' && { format: field.format }),
    label: ('label' in field && field.label) || name.replaceAll('_', ' '),
  }
}

const rangeOf = (field: Field): Pick<FieldFacts, 'range'> =>
  (field.kind === 'integer' || field.kind === 'decimal') && field.range ? { range: field.range } : {}

/** How a script changes what a to-many relation leads to: `field` is the field of the related objects. */
type Inverse = { readonly kind: 'forward' } | { readonly kind: 'backward' | 'key' | 'generic'; readonly field: string }

function inverseOf(model: Model, name: string, step: Step): Inverse | undefined {
  if (step.kind === 'reverseForeignKey') return { kind: 'key', field: step.column.key }
  if (step.kind === 'reverseGeneric') {
    const generic = [...step.to.fields].find(
      ([field, facts]) => facts.kind === 'genericForeignKey' && genericKeys(field, facts).id === step.idColumn.key,
    )
    return generic && { kind: 'generic', field: generic[0] }
  }
  if (step.kind !== 'manyToMany') return undefined
  const declared = model.fields.get(name)
  if (declared?.kind === 'manyToMany' && !declared.inverse) return { kind: 'forward' }
  const far = [...step.to.fields].find(
    ([field, facts]) =>
      facts.kind === 'manyToMany' &&
      facts.to === model.name &&
      (facts.related === name || (declared?.kind === 'manyToMany' && declared.inverse === field)),
  )
  return far && { kind: 'backward', field: far[0] }
}

const uniqueSets = ({ definition, fields }: Model): readonly (readonly string[])[] => [
  ...[...fields].flatMap(([name, field]) => ('unique' in field && field.unique ? [[name]] : [])),
  ...(definition.unique ?? []).map((unique) => unique.fields),
]

/** A set of choices: how NetBox names its class and begins its constants; value, label and colour of each choice. */
type ChoiceFacts = {
  readonly class: string
  readonly prefix: string
  readonly rows: readonly Json[]
}

/** The sets of choices, by the fields that have them: `dcim.Site.status`. */
export function choiceFacts(registry: Registry): Readonly<Record<string, ChoiceFacts>> {
  const sets: Record<string, ChoiceFacts> = {}
  for (const model of registry.models.values()) {
    for (const [name, field] of model.fields) {
      if (field.kind !== 'choice') continue
      const rows = field.choices.list.map(({ value, label, colour }) => [value, label, colour ?? null])
      sets[`${model.app}.${className(model)}.${name}`] = { ...choiceNames(model, name), rows }
    }
  }
  return sets
}

/** NetBox names the enum of GraphQL after the class: `LinkStatusEnum`, `LinkStatusChoices`. */
function choiceNames(model: Model, field: string): Omit<ChoiceFacts, 'rows'> {
  const { graphql } = model.definition
  const [name = '', prefix = ''] = (graphql ? graphql.enums?.[field] : undefined) ?? []
  if (name.endsWith('Enum')) return { class: name.replace(/Enum$/, 'Choices'), prefix }
  const words = field.split('_')
  const pascalCase = words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('')
  return { class: `${className(model)}${pascalCase}Choices`, prefix: (words.at(-1) ?? '').toUpperCase() }
}

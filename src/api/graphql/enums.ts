import { GraphQLBoolean, GraphQLEnumType, GraphQLInputObjectType, GraphQLList, GraphQLNonNull } from 'graphql'
import { classNameIn, declaredNames, pascalCase } from '../../read/graphql-names.ts'
import type { ChoiceSet } from '../../schema/choices.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { COLOURS } from './reference-names.ts'

/** The enums of choices, and the lookups that compare with their members. One enum for each set of choices. */
export class ChoiceEnums {
  readonly #enums = new Map<ChoiceSet, GraphQLEnumType>()
  readonly #lookups = new Map<ChoiceSet, GraphQLInputObjectType>()
  readonly #names = new Set<string>()
  /** Sets of choices that are named after their own field. */
  readonly #given = new Map<ChoiceSet, readonly [name: string, beginning: string]>()

  constructor(registry: Registry) {
    for (const model of registry.models.values()) {
      for (const [name, names] of Object.entries(declaredNames(model).enums ?? {})) {
        const field = model.fields.get(name)
        if (field?.kind === 'choice') this.#given.set(field.choices, names)
      }
    }
  }

  /** The lookup of colours. */
  readonly colours = lookupOf(
    new GraphQLEnumType({
      name: 'ColorEnum',
      values: Object.fromEntries(COLOURS.map((value) => [memberName('COLOR', value), { value }])),
    }),
    'ColorEnum',
  )

  /** The lookup of a field's choices. */
  lookup(model: Model, field: string, choices: ChoiceSet): GraphQLInputObjectType {
    const cached = this.#lookups.get(choices)
    if (cached) return cached
    const type = this.members(model, field, choices)
    const created = lookupOf(type, type.name === 'status' ? 'Status' : type.name)
    this.#lookups.set(choices, created)
    return created
  }

  /** The enum of a field's choices. */
  members(model: Model, field: string, choices: ChoiceSet): GraphQLEnumType {
    const cached = this.#enums.get(choices)
    if (cached) return cached
    const created = this.#create(model, field, choices)
    this.#enums.set(choices, created)
    return created
  }

  #create(model: Model, field: string, choices: ChoiceSet): GraphQLEnumType {
    const usual = `${classNameIn(model)}${pascalCase(field)}Enum`
    const [name, beginning] = this.#given.get(choices) ??
      declaredNames(model).enums?.[field] ?? [usual, memberName('', field.split('_').at(-1) ?? field)]
    // Two sets with the same name are distinguished by the name of their field.
    const unique = this.#names.has(name) ? usual : name
    this.#names.add(unique)
    const values: Record<string, { value: string | number }> = {}
    for (const { value } of choices.list) {
      const member = memberName(beginning, String(value))
      let name = member
      // Choices of custom models may differ in nothing but characters that a name cannot contain.
      for (let number = 2; name in values; number++) name = `${member}_${number}`
      values[name] = { value }
    }
    return new GraphQLEnumType({ name: unique, values })
  }
}

const lookupOf = (type: GraphQLEnumType, name: string): GraphQLInputObjectType =>
  new GraphQLInputObjectType({
    name: `${name}BaseFilterLookup`,
    fields: {
      exact: { type },
      is_null: { type: GraphQLBoolean },
      in_list: { type: new GraphQLList(new GraphQLNonNull(type)) },
    },
  })

/** `STATUS_ACTIVE`. */
function memberName(beginning: string, value: string): string {
  const name = value.toUpperCase().replace(/[^A-Z0-9]/g, '_')
  const whole = beginning === '' ? name : `${beginning}_${name}`
  return /^[0-9]/.test(whole) || whole === '' ? `_${whole}` : whole
}

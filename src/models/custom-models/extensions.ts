import type { Definition } from '../../schema/model.ts'
import { type AnyRow, type Behaviour, behaviour, type Read, type Refusal } from '../../schema/rule.ts'
import { type FieldGroup, fieldGroup } from '../../schema/view.ts'
import { type CustomModel, complaints, filtersOf, labelsOf, withoutEmptyTexts } from './custom-models.ts'
import { declaredFields, namesOf } from './value-field.ts'

/** Whether the fields of a type belong to objects of another model. */
export const isExtension = ({ type }: CustomModel): boolean => type.extends !== null

/** The definitions with the fields of the extensions of their models. Throws for a name that the model has already. */
export function withExtensions(
  definitions: readonly Definition[],
  types: readonly CustomModel[],
  hasSlugs: (model: string) => boolean,
): readonly Definition[] {
  const byModel = Map.groupBy(types.filter(isExtension), ({ type }) => type.extends)
  if (byModel.size === 0) return definitions
  return definitions.map((definition) =>
    (byModel.get(definition.name) ?? []).reduce(
      (extended, defined) => withFieldsOf(extended, defined, hasSlugs),
      definition,
    ),
  )
}

function withFieldsOf(definition: Definition, defined: CustomModel, hasSlugs: (model: string) => boolean): Definition {
  // The rules require values only of objects to which the extension applies.
  const optional = defined.fields.map((field) => ({ ...field, row: { ...field.row, required: false } }))
  const fields = Object.assign({}, ...optional.map(declaredFields)) as Definition['fields']
  const taken = Object.keys(fields).find((name) => name in definition.fields || name in (definition.filters ?? {}))
  if (taken !== undefined) throw new Error(`${definition.name}: the name ${taken} is taken`)
  return Object.freeze({
    ...definition,
    fields: { ...definition.fields, ...fields },
    filters: { ...definition.filters, ...filtersOf(defined, hasSlugs) },
    ...(definition.answer && { answer: [...definition.answer, ...Object.keys(fields)] }),
  })
}

/** The fields of extensions in groups, by the names of the extended models. */
export function extensionGroups(types: readonly CustomModel[]): ReadonlyMap<string, readonly FieldGroup[]> {
  const byModel = Map.groupBy(types.filter(isExtension), ({ type }) => type.extends ?? '')
  return new Map(
    [...byModel].map(([model, members]) => [
      model,
      members.map(({ type, fields }) =>
        fieldGroup(
          labelsOf(type)[0],
          fields.flatMap(({ row }) => namesOf(row)),
        ),
      ),
    ]),
  )
}

/** The behaviours of the extended models: values only for objects to which an extension applies. */
export function extensionBehaviours(
  types: readonly CustomModel[],
  definitionOf: (model: string) => Definition | undefined,
): readonly Behaviour[] {
  return types.filter(isExtension).flatMap((defined) => {
    const definition = definitionOf(defined.type.extends ?? '')
    if (!definition) return []
    return behaviour(definition, {
      normalize: [
        async ({ next, previous, sent, read }) => {
          const row = next as AnyRow
          const isMeant = previous !== undefined || (await appliesTo(defined, row, { definition, definitionOf, read }))
          // Other objects do not get the defaults.
          return { ...withoutEmptyTexts(defined, row), ...(isMeant ? {} : withoutDefaults(defined, sent)) }
        },
      ],
      modelRules: [
        async ({ next, read }) => {
          const row = next as AnyRow
          return (await appliesTo(defined, row, { definition, definitionOf, read }))
            ? complaints(defined, row)
            : unwanted(defined, row)
        },
      ],
    })
  })
}

/** No values for the fields that a body does not name. */
const withoutDefaults = ({ fields }: CustomModel, sent: ReadonlySet<string>): Readonly<Record<string, null>> =>
  Object.fromEntries(
    fields.flatMap(({ row }) => namesOf(row)).flatMap((name) => (sent.has(name) ? [] : [[name, null] as const])),
  )

/** Refuses values of an extension that does not apply to the object. */
function unwanted(defined: CustomModel, row: AnyRow): Refusal | undefined {
  const names = defined.fields
    .flatMap(({ row: field }) => namesOf(field))
    .filter((name) => row[name] !== null && row[name] !== undefined)
  const limits = Object.entries(defined.type.applies_to ?? {}).map(
    ([name, values]) => `${name} ${[values].flat().join(', ')}`,
  )
  const message = `This field is only for objects with ${limits.join(' and ')}.`
  return names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, message]))
}

interface Surroundings {
  readonly definition: Definition
  readonly definitionOf: (model: string) => Definition | undefined
  readonly read: Read
}

/** Whether the object has the values that limit an extension: choices, or related objects by id, slug or name. */
async function appliesTo(
  { type }: CustomModel,
  row: AnyRow,
  { definition, definitionOf, read }: Surroundings,
): Promise<boolean> {
  for (const [name, limit] of Object.entries(type.applies_to ?? {})) {
    const allowed = new Set([limit].flat().map(String))
    const field = definition.fields[name]
    const target = field?.kind === 'foreignKey' ? definitionOf(field.to) : undefined
    const value = row[name]
    if (value === null || value === undefined) return false
    if (!target) {
      if (!allowed.has(String(value))) return false
      continue
    }
    const related: Readonly<Record<string, unknown>> = await read.get(target, Number(value))
    if (![value, related.slug, related.name, related.model].some((word) => allowed.has(String(word)))) return false
  }
  return true
}

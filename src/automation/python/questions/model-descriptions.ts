import { className } from '../../../schema/class-name.ts'
import type { Column } from '../../../schema/column.ts'
import { genericKeys } from '../../../schema/generic-keys.ts'
import { pagePathOf } from '../../../schema/page-path.ts'
import type { Model, Registry } from '../../../schema/registry.ts'
import { SYSTEM } from '../../../schema/system-models.ts'

/** Description of a model for templates; `objects.py` reads it. */
interface ModelDescription {
  /** Name of its class: `dcim.Device`. */
  readonly class: string
  /** Path below /api/; '' without a collection. */
  readonly path: string
  /** Path of its list page; '' without one. */
  readonly page: string
  /** Kind of each value in a row. */
  readonly columns: Readonly<Record<string, string>>
  /** Target models of foreign keys. */
  readonly references: Readonly<Record<string, string>>
  /** Keys of the type and the id of each generic relation. */
  readonly generic: Readonly<Record<string, readonly [string, string]>>
  /** Target models of to-many relations. */
  readonly relations: Readonly<Record<string, string>>
  /** The to-many relations that lead to at most one object. */
  readonly single: readonly string[]
  /** Relations by the other names that Django gives them: `prefix_set`, `sites`. */
  readonly accessors: Readonly<Record<string, string>>
  readonly choices: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Colours of values by field. */
  readonly colors: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly hasTags: boolean
  /** Names of fields in responses. */
  readonly shown: readonly string[]
}

/** Tokens are secrets and never available to templates. */
const NEVER: ReadonlySet<string> = new Set([SYSTEM.token])

/** True if templates may read the model. */
export const isVisible = (model: Model): boolean => !model.definition.private && !NEVER.has(model.name)

/** All models that templates may read, by name. `basePath` is the path in front of every URL. */
export const describeModels = (registry: Registry, basePath: string): Readonly<Record<string, ModelDescription>> =>
  Object.fromEntries(
    [...registry.models.values()].filter(isVisible).map((model) => [model.name, describe(model, basePath)]),
  )

/** Columns in a template's row: none that are hidden or missing from all responses. */
export const visibleColumns = (model: Model): readonly Column[] =>
  [...model.columns.values()].filter(
    ({ field, key }) =>
      key !== 'id' &&
      !key.startsWith('_') &&
      !('hidden' in field && field.hidden) &&
      !('writeOnly' in field && field.writeOnly),
  )

function describe(model: Model, basePath: string): ModelDescription {
  const columns: Record<string, string> = {}
  const references: Record<string, string> = {}
  const choices: Record<string, Readonly<Record<string, string>>> = {}
  const colors: Record<string, Readonly<Record<string, string>>> = {}
  for (const { key, field } of visibleColumns(model)) {
    if (field.kind === 'foreignKey') references[key] = field.to
    else if (field.kind !== 'customFields') columns[key] = field.kind
    if (field.kind === 'choice') {
      const { list } = field.choices
      choices[key] = Object.fromEntries(list.map(({ value, label }) => [String(value), label]))
      const colored = list.flatMap(({ value, colour }) => (colour ? [[String(value), colour]] : []))
      if (colored.length > 0) colors[key] = Object.fromEntries(colored)
    }
  }
  const generic: Record<string, readonly [string, string]> = {}
  for (const [name, field] of model.fields) {
    if (field.kind !== 'genericForeignKey' || field.hidden) continue
    const { type, id } = genericKeys(name, field)
    generic[name] = [type, id]
  }
  const relations: Record<string, string> = {}
  const single: string[] = []
  const accessors: Record<string, string> = {}
  for (const [name, step] of model.steps) {
    const isMany = ['manyToMany', 'reverseForeignKey', 'reverseGeneric'].includes(step.kind)
    if (!isMany || step.kind === 'column' || !isVisible(step.to)) continue
    relations[name] = step.to.name
    if (step.kind !== 'reverseForeignKey') continue
    if ('unique' in step.column.field && step.column.field.unique) single.push(name)
    else if (name === step.to.key) {
      const plural = (step.to.path.split('/').at(-1) ?? '').replaceAll('-', '_')
      for (const alias of [`${name}_set`, plural, plural.replaceAll('_', '')]) {
        if (!model.steps.has(alias)) accessors[alias] = name
      }
    }
  }
  return {
    class: className(model),
    path: model.path,
    page: `${basePath}${pagePathOf(model) ?? ''}`,
    columns,
    references,
    generic,
    relations,
    single,
    accessors,
    choices,
    colors,
    hasTags: [...model.steps.values()].some(({ kind }) => kind === 'tags'),
    shown: model.answer,
  }
}

import { schemaOf } from '../../db/migrate/schema-of.ts'
import { MODELS } from '../../models/index.ts'
import { compileExpression } from '../../read/expression/compile-expression.ts'
import { hasRootFields, offeredModels, rootNameOf, typeNameOf } from '../../read/graphql-names.ts'
import { T } from '../../read/query/alias.ts'
import { declaredPaths } from '../../read/query/declared-paths.ts'
import { displayOf } from '../../read/query/display.ts'
import { columnsOf } from '../../schema/column.ts'
import { type Field, isScalar, kindOf } from '../../schema/field.ts'
import type { Definition } from '../../schema/model.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { resolvePath } from '../../schema/step.ts'
import { knownOptions, unknownOption } from './field-options.ts'
import type { Plugin } from './plugin.ts'

const NAME = /^[a-z][a-z0-9_]*$/
const FIELD = /^_?[a-z][a-z0-9_]*$/
/** Apps of the program itself, and names that have another meaning in URLs. */
const RESERVED: ReadonlySet<string> = new Set([
  ...MODELS.map(({ name }) => name.split('.')[0] ?? ''),
  // Of packs, and of the branching plugin that clients support.
  'branching',
  'installed-plugins',
  'plugins',
  'status',
])

/** The problem of a plugin on its own, as the end of a sentence; undefined if it can be used. */
export function problemOf({ name, models, behaviours, actions }: Plugin): string | undefined {
  if (typeof name !== 'string' || !NAME.test(name)) {
    return `its name ${JSON.stringify(name)} has to be lower-case letters, digits and "_", a letter first`
  }
  if (RESERVED.has(name)) return `its name "${name}" is that of a part of the program`
  if (!Array.isArray(models) || models.length === 0) return 'it has no models'
  for (const model of models) {
    const problem = modelProblem(name, model)
    if (problem !== undefined) return problem
  }
  const modelNames = new Set(models.map((model) => model.name))
  const foreign = behaviours.find(({ model }) => !modelNames.has(model.name))
  if (foreign) return `it has a behaviour of ${foreign.model.name}, which is not one of its models`
  const path = actions.map((action) => action.path).find((candidate) => !isBelow(name, candidate))
  if (path !== undefined) return `the path of its action "${path}" has to begin with plugins/${name}/`
  return undefined
}

function modelProblem(plugin: string, definition: Definition): string | undefined {
  const { name, path, table } = definition
  const key = typeof name === 'string' && name.startsWith(`${plugin}.`) ? name.slice(plugin.length + 1) : ''
  if (!/^[a-z][a-z0-9]*$/.test(key)) {
    return `the name of its model "${name}" has to be "${plugin}." and lower-case letters and digits`
  }
  if (path !== undefined && !isBelow(plugin, path)) {
    return `the path of ${name} has to be plugins/${plugin}/ and one name, not "${path}"`
  }
  if (table !== undefined && !table.startsWith(`${plugin}_`)) {
    return `the table of ${name} has to begin with "${plugin}_"`
  }
  const tableName = table ?? `${plugin}_${key}`
  if (isTooLong(tableName)) return `the table ${tableName} ${TOO_LONG}`
  return fieldsProblem(definition, tableName)
}

/** The problem of one of the fields of a model, as the end of a sentence. */
function fieldsProblem({ name, fields }: Definition, table: string): string | undefined {
  const columnOf = new Map<string, string>()
  for (const [fieldName, field] of Object.entries(fields)) {
    const problem = fieldProblem(table, fieldName, field)
    if (problem !== undefined) return `the field ${fieldName} of ${name} ${problem}`
    for (const column of columnsOf(fieldName, field)) {
      const other = columnOf.get(column.name)
      if (other !== undefined)
        return `the fields ${other} and ${fieldName} of ${name} have the same column ${column.name}`
      columnOf.set(column.name, fieldName)
    }
  }
  return undefined
}

/**
 * Throws an Error if a pack takes the place of a part of the program or of another plugin, or if one of its models cannot
 * be stored.
 */
export function checkPack(pack: Plugin, plugins: readonly Plugin[]): void {
  const { name, path = name, models } = pack
  if (RESERVED.has(name) || RESERVED.has(path)) throw new Error(`${path}: this is the name of a part of the program`)
  for (const other of plugins) {
    if (other === pack) continue
    if (other.name === name) throw new Error(`${path}: the plugin ${other.label} has the app ${name} already`)
    if ((other.path ?? other.name) === path)
      throw new Error(`${path}: the plugin ${other.label} has this address already`)
  }
  const paths = models.flatMap((model) => [...(model.path === undefined ? [] : [model.path]), ...(model.aliases ?? [])])
  const twice = paths.find((other, index) => paths.indexOf(other) !== index)
  if (twice !== undefined) throw new Error(`${path}: two of its models have the path ${twice}`)
  for (const definition of models) {
    const problem = fieldsProblem(definition, definition.table ?? '')
    if (problem !== undefined) throw new Error(problem)
  }
}

/** Names of values that every object has. */
const TAKEN: ReadonlySet<string> = new Set([
  ...['id', 'url', 'display', 'display_url'],
  // A body without the field seems to have it: every object of JavaScript inherits these.
  ...Object.getOwnPropertyNames(Object.prototype),
])
/** PostgreSQL truncates longer names silently, after which two may be equal. */
const LONGEST = 63
const TOO_LONG = `has a name above ${LONGEST} characters`

const isTooLong = (name: string): boolean => Buffer.byteLength(name) > LONGEST

/** The problem of a field, as the end of a sentence. */
function fieldProblem(table: string, name: string, field: Field): string | undefined {
  if (!FIELD.test(name)) return 'has to have a name of lower-case letters, digits and "_"'
  if (TAKEN.has(name)) return 'has to have another name: every object has this one already'
  const option = unknownOption(field)
  if (option !== undefined) {
    return `has the option ${option}, which does not exist: ${knownOptions(field.kind).join(', ')} do`
  }
  if (isScalar(field) && field.default !== undefined && field.default !== null) {
    const outcome = kindOf(field).parse(field, field.default, () => true)
    if ('refused' in outcome) return `has a default that is no value: ${outcome.refused}`
  }
  const names = columnsOf(name, field).map((column) => column.name)
  const joined = field.kind === 'manyToMany' ? [field.table ?? `${table}_${name}`] : []
  return [...names, ...joined].some(isTooLong) ? TOO_LONG : undefined
}

const isBelow = (plugin: string, path: string): boolean => new RegExp(`^plugins/${plugin}/[a-z0-9-]+$`).test(path)

/** Throws an Error that names the model if a declaration of a plugin's models refers to something that does not exist. */
export function checkModels(registry: Registry): void {
  schemaOf(registry, { trigrams: true })
  checkQueryNames(registry)
  for (const model of registry.models.values()) {
    if (!model.plugin) continue
    checkDisplay(model)
    for (const path of declaredPaths(registry, model)) {
      // Filters of computed fields.
      if (model.fields.get(path)?.kind !== 'derived') resolvePath(model, path)
    }
    checkCounts(registry, model)
    checkExpressions(model)
    checkTargets(registry, model)
  }
}

/** Throws an Error for a display that leads over relations to objects of its own model. */
function checkDisplay(model: Model): void {
  try {
    displayOf(model, T)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new Error(`${model.name}: its display contains the display of objects that contain it again`)
  }
}

/** Constraints must be conditions. */
function checkExpressions(model: Model): void {
  const { constraints = [], displayExpression } = model.definition
  if (displayExpression !== undefined) compiledFor(model, displayExpression)
  for (const [name, field] of model.fields) {
    if (!model.plugin?.pack || field.kind !== 'derived' || field.expression === undefined) continue
    const { type } = compiledFor(model, field.expression)
    const isNumber = NUMBERS.has(type) && NUMBERS.has(field.type)
    if (type === field.type || isNumber) continue
    throw new Error(`${model.name}: the expression of ${name} yields a ${type}, not a ${field.type}`)
  }
  for (const { expression, field, changing = [] } of constraints) {
    const { type } = compiledFor(model, expression)
    if (type !== 'boolean') throw new Error(`${model.name}: "${expression}" yields a ${type}, not true or false`)
    const unknown = [...(field === undefined ? [] : [field]), ...changing].find((name) => !model.fields.has(name))
    if (unknown !== undefined) throw new Error(`${model.name}: no field ${unknown} for the rule "${expression}"`)
  }
}

/** Throws an Error if a model of a pack has the GraphQL names of another model. */
function checkQueryNames(registry: Registry): void {
  const owners = new Map<string, Model>()
  for (const model of offeredModels(registry)) {
    const roots = hasRootFields(model) ? [rootNameOf(model), `${rootNameOf(model)}_list`] : []
    for (const name of [...roots, typeNameOf(model)]) {
      const other = owners.get(name)
      if (other && (model.plugin?.pack || other.plugin?.pack)) {
        throw new Error(`${model.name}: ${other.name} has the GraphQL name ${name} already`)
      }
      owners.set(name, model)
    }
  }
}

const NUMBERS: ReadonlySet<string> = new Set(['integer', 'decimal'])

/** Relations of packs must lead to objects that people know, and filters to objects that there are. */
function checkTargets(registry: Registry, model: Model): void {
  if (!model.plugin?.pack) return
  for (const [name, field] of model.fields) {
    if (field.kind !== 'foreignKey' && field.kind !== 'manyToMany') continue
    const { internal, private: isPrivate } = registry.model(field.to).definition
    if (internal || isPrivate) throw new Error(`${model.name}: ${name} refers to ${field.to}, which is internal`)
  }
  for (const [name, filter] of Object.entries(model.definition.filters ?? {})) {
    if (filter?.kind !== 'related') continue
    const target = registry.models.get(filter.to)
    if (!target?.columns.has(filter.by)) {
      throw new Error(
        `${model.name}: the filter ${name} names objects of ${filter.to} by ${filter.by}, which is not there`,
      )
    }
  }
}

/** The expression. Throws an Error that names the model. */
function compiledFor(model: Model, expression: string) {
  try {
    return compileExpression(model, expression)
  } catch (error) {
    throw new Error(`${model.name}: "${expression}": ${error instanceof Error ? error.message : error}`)
  }
}

/** Related counts and lists must name a relation that leads to the model. */
function checkCounts(registry: Registry, model: Model): void {
  for (const [name, field] of model.fields) {
    if (field.kind !== 'relatedCount' && field.kind !== 'reverse' && field.kind !== 'counter') continue
    if (!registry.models.get(field.of)?.fields.has(field.via)) {
      throw new Error(`${model.name}: ${name} counts by ${field.of}.${field.via}, which is not a relation`)
    }
  }
}

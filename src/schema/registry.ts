import { type ApiVersion, LATEST } from '../base/api-version.ts'
import { declareTables, type TableReference } from '../sql/table-names.ts'
import { checkView } from './check-view.ts'
import { type Column, columnsOf } from './column.ts'
import { completeView } from './complete-view.ts'
import { formIn } from './earlier-form.ts'
import type { Field, ForeignKeyField, GenericForeignKeyField, ManyToManyField } from './field.ts'
import { genericKeys } from './generic-keys.ts'
import type { Definition, Feature, FieldFeature } from './model.ts'
import type { PluginModels } from './plugin.ts'
import type { Behaviour } from './rule.ts'
import { type Step, stepsOf } from './step.ts'
import type { DeclaredView, ModelView } from './view.ts'

/** Table that joins two models; it belongs to the model that declares the relation. */
export interface JoinTable extends TableReference {
  readonly ownColumn: string
  readonly otherColumn: string
}

/** A relation of another model to this one. */
export type Referrer =
  | {
      readonly kind: 'foreignKey'
      readonly model: Model
      readonly name: string
      readonly field: ForeignKeyField<unknown>
      readonly column: Column
    }
  | {
      readonly kind: 'manyToMany'
      readonly model: Model
      readonly name: string
      readonly field: ManyToManyField
      readonly table: JoinTable
    }
  | {
      readonly kind: 'genericForeignKey'
      readonly model: Model
      readonly name: string
      readonly field: GenericForeignKeyField
      readonly typeColumn: Column
      readonly idColumn: Column
    }

/** Whether a referring row cannot exist without its target: it is deleted with it, or has to refer to something. */
export const needsTarget = (referrer: Referrer): boolean => {
  if (referrer.kind === 'manyToMany') return false
  const { onDelete, nullable } = referrer.field
  return onDelete === 'cascade' || (onDelete !== 'keep' && nullable !== true)
}

/** A definition with everything derived from it. */
export interface Model {
  readonly definition: Definition
  /** `app.model`. */
  readonly name: string
  readonly app: string
  /** The part after the point. */
  readonly key: string
  readonly table: string
  /** Path below /api/ without slashes at the ends; '' for a model without a collection. */
  readonly path: string
  readonly fields: ReadonlyMap<string, Field>
  /** Columns by row key, `id` first. */
  readonly columns: ReadonlyMap<string, Column>
  /** Fields of the full form in the order of the response. */
  readonly answer: readonly string[]
  /** Fields of the nested form. */
  readonly nested: readonly string[]
  /** Names that a path may use as a step, with their targets. */
  readonly steps: ReadonlyMap<string, Step>
  /** Relations of other models, and of the model itself, that refer to this one. */
  readonly referrers: readonly Referrer[]
  readonly behaviour: Behaviour | undefined
  /** The plugin that declares it; undefined for the program's own models. */
  readonly plugin: PluginModels | undefined
  has(feature: Feature | FieldFeature): boolean
}

/** All models, with relations resolved. */
export interface Registry {
  readonly models: ReadonlyMap<string, Model>
  readonly plugins: readonly PluginModels[]
  /** The same object for all registries of a running service: users may change its models. */
  readonly identity: object
  /** The version of the API that its models describe. */
  readonly version: ApiVersion
  /** The same models as a version of the API describes them, over the same tables. */
  inVersion(version: ApiVersion): Registry
  /** The model of a name. Throws for an unknown name, which is an error in a declaration. */
  model(name: string): Model
  /** Models that a generic relation may refer to. */
  targets(field: GenericForeignKeyField): readonly Model[]
  /** How the model's objects are shown and edited; derived from its fields if nothing is declared. */
  view(model: Model): ModelView
  /** Join table of a many to many field. */
  joinTable(model: Model, name: string, field: ManyToManyField): JoinTable
}

const ID: Column = {
  name: 'id',
  key: 'id',
  type: 'bigint',
  nullable: false,
  field: Object.freeze({ kind: 'integer', size: 'big', readOnly: true }),
}
const ID_FIELD = ID.field

interface MutableModel extends Model {
  readonly steps: Map<string, Step>
  readonly referrers: Referrer[]
}

/**
 * Columns of trees besides the parent: depth, ids from the root to the node, and a sort key, which contains the name
 * and, for most models, the id of each node on the path (`sortKey` of tree.ts), so that the descendants of
 * nodes with equal names are not mixed. Names have the collation of the field that orders siblings.
 */
function treeColumns({ tree, fields }: Definition): readonly Column[] {
  if (!tree) return []
  const name = fields[tree.orderBy]
  const isNatural = name?.kind === 'text' && name.collation === 'natural'
  const base = { nullable: false, field: ID_FIELD }
  return [
    { ...base, name: '_level', key: '_level', type: 'integer' },
    { ...base, name: '_ancestors', key: '_ancestors', type: 'bigint[]' },
    {
      ...base,
      name: '_sort',
      key: '_sort',
      type: 'text[]',
      ...(isNatural && { collation: 'natural' as const }),
    },
  ]
}

function shownNames(name: string, field: Field): readonly string[] {
  if (field.kind === 'genericForeignKey') {
    if (field.hidden) return []
    const objectName = field.shown ?? name
    const { type, id } = genericKeys(name, field)
    const names = [type, id]
    return objectName === false ? names : [...names, objectName]
  }
  if ('hidden' in field && field.hidden) return []
  if ('writeOnly' in field && field.writeOnly) return []
  return [name]
}

function responseFields(definition: Definition): readonly string[] {
  if (definition.answer) return definition.answer
  const page = definition.page === false ? [] : ['display_url']
  const fieldNames = Object.entries(definition.fields).flatMap(([name, field]) => shownNames(name, field))
  const alias = definition.displayName ? ['display_name'] : []
  return ['id', 'url', ...page, 'display', ...alias, ...fieldNames]
}

function nestedOf(definition: Definition): readonly string[] {
  if (definition.nested) return definition.nested
  return definition.brief.filter((name) => {
    const field = definition.fields[name]
    return field?.kind !== 'relatedCount' || field.cumulative === true
  })
}

function resolve(
  definition: Definition,
  behaviour: Behaviour | undefined,
  plugin: PluginModels | undefined,
): MutableModel {
  const [app, key] = definition.name.split('.')
  if (!app || !key) throw new Error(`${definition.name}: a model's name is app.model`)
  const columns = new Map<string, Column>([['id', ID]])
  for (const [name, field] of Object.entries(definition.fields)) {
    for (const column of columnsOf(name, field)) columns.set(column.key, column)
  }
  for (const column of treeColumns(definition)) columns.set(column.key, column)
  const kinds = new Set(Object.values(definition.fields).map(({ kind }) => kind))
  const features = new Set<Feature | FieldFeature>([
    ...(definition.features ?? []),
    ...FIELD_FEATURES.filter((kind) => kinds.has(kind)),
  ])
  return {
    definition,
    name: definition.name,
    app,
    key,
    table: definition.table ?? `${app}_${key}`,
    path: definition.path ?? '',
    fields: new Map(Object.entries(definition.fields)),
    columns,
    answer: responseFields(definition),
    nested: nestedOf(definition),
    steps: new Map(),
    referrers: [],
    behaviour,
    plugin,
    has: (feature) => features.has(feature),
  }
}

/** Test of names of models; with a feature, of those that have it. */
export const isModelIn =
  ({ models }: Registry) =>
  (name: string, feature?: Feature | FieldFeature): boolean => {
    const model = models.get(name)
    return model !== undefined && (feature === undefined || model.has(feature))
  }

const FIELD_FEATURES: readonly FieldFeature[] = ['customFields', 'tags']

/** Throws unless every name in the declaration is a field of the model. */
function checkNames(model: Model): void {
  const takenNames = new Set([
    'id',
    'url',
    'display_url',
    'display',
    ...(model.definition.displayName ? ['display_name'] : []),
    ...[...model.fields].flatMap(([name, field]) => shownNames(name, field)),
  ])
  const { brief, unique = [] } = model.definition
  for (const name of [...brief, ...model.nested, ...model.answer]) {
    if (!takenNames.has(name)) throw new Error(`${model.name}: no field ${name} to show`)
  }
  for (const name of unique.flatMap((constraint) => constraint.fields)) {
    if (!model.columns.has(name)) throw new Error(`${model.name}: no column ${name} to be unique`)
  }
  for (const field of model.fields.values()) {
    if (field.kind !== 'foreignKey' || field.repeats === undefined) continue
    if (model.fields.get(field.repeats)?.kind !== 'foreignKey') {
      throw new Error(`${model.name}: no relation ${field.repeats} to be repeated`)
    }
  }
}

/**
 * The registry of the definitions; the models of plugins follow all others. `identity` is that of the registry that it
 * replaces. Throws an Error that names the model for a name that cannot be resolved.
 */
export function buildRegistry(
  definitions: readonly Definition[],
  behaviours: readonly Behaviour[] = [],
  plugins: readonly PluginModels[] = [],
  views: readonly DeclaredView[] = [],
  identity: object = {},
): Registry {
  const registries = new Map<ApiVersion, Registry>()
  const inVersion = (version: ApiVersion): Registry => {
    const registry = registries.get(version) ?? registryIn(version)
    registries.set(version, registry)
    return registry
  }
  const registryIn = (version: ApiVersion): Registry => {
    const forms = definitions.map((definition) => formIn(definition, version))
    return resolveRegistry({
      identity,
      version,
      inVersion,
      definitions: forms,
      behaviours,
      plugins,
      views,
    })
  }
  return inVersion(LATEST)
}

interface RegistryParts extends Pick<Registry, 'identity' | 'version' | 'inVersion'> {
  readonly definitions: readonly Definition[]
  readonly behaviours: readonly Behaviour[]
  readonly plugins: readonly PluginModels[]
  readonly views: readonly DeclaredView[]
}

function resolveRegistry({
  identity,
  version,
  inVersion,
  definitions,
  behaviours: ownBehaviours,
  plugins,
  views: ownViews,
}: RegistryParts): Registry {
  const behaviours = [...ownBehaviours, ...plugins.flatMap((plugin) => plugin.behaviours)]
  const behaviourOf = new Map(behaviours.map((behaviour) => [behaviour.model.name, behaviour]))
  if (behaviourOf.size !== behaviours.length) throw new Error('A model has its behaviour twice')
  const models = new Map<string, MutableModel>()
  const declare = (definition: Definition, plugin?: PluginModels): void => {
    const { name } = definition
    if (models.has(name)) throw new Error(`${name} is declared twice`)
    models.set(name, resolve(definition, behaviourOf.get(name), plugin))
  }
  for (const definition of definitions) declare(definition)
  for (const plugin of plugins) {
    for (const definition of plugin.models) declare(definition, plugin)
  }
  const model = (name: string): Model => {
    const registered = models.get(name)
    if (!registered) throw new Error(`No model is named ${name}`)
    return registered
  }
  const joinTable = (owner: Model, name: string, field: ManyToManyField): JoinTable => {
    const target = model(field.to)
    const self = target === owner
    const [declaring, relation] = field.inverse === undefined ? [owner, name] : [target, field.inverse]
    return {
      table: field.table ?? `${declaring.table}_${relation}`,
      model: declaring.name,
      ownColumn: self ? `from_${owner.key}_id` : `${owner.key}_id`,
      otherColumn: self ? `to_${target.key}_id` : `${target.key}_id`,
    }
  }
  const targets = (field: GenericForeignKeyField): readonly Model[] =>
    field.targets.flatMap((target) =>
      target.startsWith('feature:')
        ? [...models.values()].filter((candidate) => candidate.has(target.slice(8) as Feature))
        : target === '*' || target === 'independent'
          ? [...models.values()].filter(
              ({ definition }) => !definition.private && (target === '*' || !definition.visibleWith),
            )
          : [model(target)],
    )
  // Views, which also declare the search, are those of the latest version.
  const views = new Map(
    version === LATEST
      ? [...ownViews, ...plugins.flatMap((plugin) => plugin.views ?? [])].map((view) => [view.model, view])
      : [],
  )
  const completeViews = new Map<Model, ModelView>()
  const view = (model: Model): ModelView => {
    if (version !== LATEST) {
      const latest = inVersion(LATEST)
      return latest.view(latest.model(model.name))
    }
    const completed =
      completeViews.get(model) ?? withAdditions(completeView(registry, model, views.get(model.name)), model, plugins)
    completeViews.set(model, completed)
    return completed
  }
  const registry: Registry = { models, plugins, identity, version, inVersion, model, targets, view, joinTable }
  for (const owner of models.values()) {
    checkNames(owner)
    for (const [name, step] of ownSteps(registry, owner)) owner.steps.set(name, step)
  }
  for (const owner of models.values()) addReferrers(registry, owner, models)
  for (const name of views.keys()) checkView(registry, view(model(name)))
  declareTables(tablesOf(registry))
  return registry
}

/** The view with the lists of plugins' objects that refer to the model's objects, and with its computed fields. */
function withAdditions(view: ModelView, { fields }: Model, plugins: readonly PluginModels[]): ModelView {
  const lists = plugins.flatMap(({ overviews }) => overviews?.get(view.model) ?? [])
  const tabs = plugins.flatMap((plugin) => plugin.tabs?.get(view.model) ?? [])
  const computed = [...fields].flatMap(([name, field]) =>
    field.kind === 'derived' && field.expression !== undefined ? [{ name, inLists: field.inLists === true }] : [],
  )
  const columns = computed.filter(({ inLists }) => inLists).map(({ name }) => name)
  const computedGroup = { label: 'Computed fields', fields: computed.map(({ name }) => name) }
  const groups = plugins.flatMap((plugin) => plugin.groups?.get(view.model) ?? [])
  const added = [...groups, ...(computed.length > 0 ? [computedGroup] : [])]
  const [first = [], ...furtherPanels] = view.panels
  return {
    ...view,
    ...(groups.length > 0 && view.form && { form: [...view.form, ...groups] }),
    ...(groups.length > 0 && view.bulkEdit && { bulkEdit: [...view.bulkEdit, ...groups] }),
    ...(lists.length > 0 && { overview: [...(view.overview ?? []), ...lists] }),
    ...(tabs.length > 0 && { tabs: [...(view.tabs ?? []), ...tabs] }),
    ...(columns.length > 0 && { columns: [...new Set([...view.columns, ...columns])] }),
    ...(added.length > 0 && {
      moreColumns: [...(view.moreColumns ?? []), ...added.flatMap((group) => group.fields)],
      panels: [[...first, ...added], ...furtherPanels],
    }),
  }
}

/** Tables of models and relations by their names in declarations: `dcim.site`, `dcim.site.asns`. */
function* tablesOf(registry: Registry): Iterable<readonly [string, TableReference]> {
  for (const model of registry.models.values()) {
    yield [model.name, { table: model.table, model: model.name }]
    for (const [name, field] of model.fields) {
      if (field.kind !== 'manyToMany') continue
      yield [`${model.name}.${name}`, registry.joinTable(model, name, field)]
    }
  }
}

function ownSteps(registry: Registry, owner: Model): ReadonlyMap<string, Step> {
  try {
    return stepsOf(registry, owner)
  } catch (error) {
    throw new Error(`${owner.name}: ${error instanceof Error ? error.message : error}`)
  }
}

/** Adds to every model its referrers and the inverse relations as steps. */
function addReferrers(registry: Registry, owner: Model, models: ReadonlyMap<string, MutableModel>): void {
  const targetOf = (name: string) => {
    const target = models.get(name)
    if (!target) throw new Error(`${owner.name}: no model is named ${name}`)
    return target
  }
  const column = (key: string): Column => {
    const stored = owner.columns.get(key)
    if (!stored) throw new Error(`${owner.name}: no column ${key}`)
    return stored
  }
  const giveWayBack = (target: MutableModel, related: string | undefined, step: Step) => {
    const name = related ?? owner.key
    if (name === '+') return
    if (!target.steps.has(name)) target.steps.set(name, step)
    else if (related !== undefined && owner.plugin) {
      throw new Error(`${owner.name}: "related" has to be another name than ${name}, which ${target.name} has already`)
    }
  }
  for (const [name, field] of owner.fields) {
    if (field.kind === 'foreignKey') {
      const target = targetOf(field.to)
      target.referrers.push({ kind: 'foreignKey', model: owner, name, field, column: column(name) })
      giveWayBack(target, field.related, {
        kind: 'reverseForeignKey',
        to: owner,
        column: column(name),
      })
    } else if (field.kind === 'manyToMany' && field.inverse === undefined) {
      const table = registry.joinTable(owner, name, field)
      const target = targetOf(field.to)
      target.referrers.push({ kind: 'manyToMany', model: owner, name, field, table })
      giveWayBack(target, field.related, {
        kind: 'manyToMany',
        to: owner,
        table: { ...table, ownColumn: table.otherColumn, otherColumn: table.ownColumn },
      })
    } else if (field.kind === 'genericForeignKey') {
      const keys = genericKeys(name, field)
      const [typeColumn, idColumn] = [column(keys.type), column(keys.id)]
      for (const { name: targetName } of registry.targets(field)) {
        const target = targetOf(targetName)
        target.referrers.push({
          kind: 'genericForeignKey',
          model: owner,
          name,
          field,
          typeColumn,
          idColumn,
        })
        giveWayBack(target, field.related, {
          kind: 'reverseGeneric',
          to: owner,
          typeColumn,
          idColumn,
          typeName: target.name,
        })
      }
    }
  }
}

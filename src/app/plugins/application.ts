import { type MigrationStep, STEPS } from '../../db/migrate/steps.ts'
import { configuredModels, type ModelSettings } from '../../models/configured-models.ts'
import { maskPastParameters } from '../../models/core/secret-parameters.ts'
import { type CustomModel, RESERVED_NAMES } from '../../models/custom-models/custom-models.ts'
import { extensionBehaviours, isExtension, withExtensions } from '../../models/custom-models/extensions.ts'
import { type CustomModels, NO_CUSTOM_MODELS } from '../../models/custom-models/stored-types.ts'
import { type CheckExpression, type ExpressionOf, withComputedFields } from '../../models/extras/computed-field.ts'
import { BEHAVIOURS, MODELS, VIEWS } from '../../models/index.ts'
import { MENU } from '../../models/menu.ts'
import { compileExpression } from '../../read/expression/compile-expression.ts'
import { ExpressionError } from '../../read/expression/parse-expression.ts'
import { parametersOf } from '../../read/query/parameters.ts'
import { CUSTOM_MODELS_APP } from '../../schema/custom-models.ts'
import type { MenuGroup, MenuSection } from '../../schema/menu.ts'
import type { Definition } from '../../schema/model.ts'
import { oncePer, oncePerText } from '../../schema/once-per.ts'
import { parsePack } from '../../schema/packs/pack-document.ts'
import type { ColumnOf } from '../../schema/path.ts'
import { buildRegistry, type Model, type Registry } from '../../schema/registry.ts'
import { type Behaviour, behaviourOf, type UntypedEffect } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import type { Catalogue, InstalledPack } from './catalogue.ts'
import { customModelsPlugin, hasSlugs } from './custom-models.ts'
import { packMenu, packPlugin } from './pack.ts'
import type { Plugin } from './plugin.ts'

/** The parts of the program, including those of its plugins. */
export interface Application {
  readonly plugins: readonly Plugin[]
  /** Settings that change declarations. */
  readonly settings: Partial<ModelSettings>
  /** Schema changes that cannot be derived from the declarations. */
  readonly steps: readonly MigrationStep[]
  /** The models and computed fields that users have defined. */
  readonly customModels: CustomModels
  /** The packs in folders, and the names of those that are always on. */
  readonly catalogue: Catalogue
  readonly alwaysOn: readonly string[]
  /** Why packs that should be on cannot be used, by name. */
  readonly unusable: ReadonlyMap<string, string>
  /** Lists of the menu, by subject; lists of plugins come last. */
  readonly menu: readonly MenuSection[]
}

/** `catalogue`: the packs in folders; `alwaysOn`: names of those that are on whatever the database says. */
export const applicationOf = (
  plugins: readonly Plugin[],
  settings: Partial<ModelSettings> = {},
  { catalogue = new Map(), alwaysOn = [] }: Partial<Pick<Application, 'catalogue' | 'alwaysOn'>> = {},
): Application =>
  withCustomModels(
    {
      ...{ plugins, settings, catalogue, alwaysOn, menu: [], steps: [], customModels: NO_CUSTOM_MODELS },
      unusable: new Map(),
    },
    NO_CUSTOM_MODELS,
  )

/** The program with these custom models and packs, instead of any others. */
export function withCustomModels(application: Application, customModels: CustomModels): Application {
  const { types } = customModels
  const loaded = application.plugins.filter(({ name, pack }) => name !== CUSTOM_MODELS_APP && !pack)
  const packs = packsOf(application, customModels)
  const plugins = [...loaded, ...packs.map(({ plugin }) => plugin)]
  const menus = [...loaded.map(menuOf), ...packs.flatMap(({ document }) => packMenu(document))]
  return {
    ...application,
    customModels,
    plugins: [...plugins, customModelsPlugin(types)],
    steps: [...STEPS, MASK_SECRETS, ...plugins.flatMap(stepsOf)],
    menu: withCustomLists(mergedSections([...MENU, ...menus]), types),
  }
}

/** The names of the packs that are on, in order: a pack that the database does not know yet is as its manifest says. */
export function namesOfPacks(
  { catalogue, alwaysOn }: Pick<Application, 'catalogue' | 'alwaysOn'>,
  packs: CustomModels['packs'],
): readonly string[] {
  const stored = new Map(packs.map(({ name, enabled }) => [name, enabled]))
  const isOn = (name: string): boolean => stored.get(name) ?? catalogue.get(name)?.document.enabled === true
  return [...new Set([...alwaysOn, ...[...catalogue.keys(), ...stored.keys()].filter(isOn)])].sort()
}

/** The packs that are on and can be used, by name. */
function packsOf({ catalogue, alwaysOn, unusable }: Application, { packs }: CustomModels) {
  const stored = new Map(packs.map(({ name, document }) => [name, document]))
  const names = namesOfPacks({ catalogue, alwaysOn }, packs).filter((name) => !unusable.has(name))
  return names.flatMap((name) => {
    const installed = catalogue.get(name)
    if (installed) return [{ document: installed.document, plugin: installedPlugin(installed) }]
    const document = parsePack(stored.get(name) ?? null)
    return 'problem' in document ? [] : [{ document, plugin: packPlugin(document, undefined) }]
  })
}

/** The same object as long as the pack is: memoised functions of its models stay. */
const installedPlugin = oncePer(({ document, code }: InstalledPack) => packPlugin(document, code))

/** Sections of the same name are one. */
function mergedSections(sections: readonly MenuSection[]): readonly MenuSection[] {
  const byLabel = Map.groupBy(sections, ({ label }) => label)
  return [...byLabel.values()].flatMap(([first, ...others]) =>
    first ? [{ ...first, groups: mergedGroups([first, ...others].flatMap(({ groups }) => groups)) }] : [],
  )
}

/** Groups of the same name are one. */
function mergedGroups(groups: readonly MenuGroup[]): readonly MenuGroup[] {
  const byLabel = Map.groupBy(groups, ({ label }) => label)
  return [...byLabel.values()].flatMap(([first, ...others]) => {
    if (!first || others.length === 0) return first ?? []
    const all = [first, ...others]
    const pages = all.flatMap((group) => group.pages ?? [])
    return [{ ...first, models: all.flatMap(({ models }) => models), ...(pages.length > 0 && { pages }) }]
  })
}

const CUSTOM_SECTION = 'Custom Objects'

/** The menu with the lists of custom models: in the sections and groups that they name. */
function withCustomLists(menu: readonly MenuSection[], all: readonly CustomModel[]): readonly MenuSection[] {
  const types = all.filter((defined) => !isExtension(defined)).map(({ type }) => type)
  const labelOf = (name: string, labels: readonly MenuSection['label'][]): string =>
    labels.find((label) => label.toLowerCase() === name.toLowerCase()) ?? name
  const labels = menu.map(({ label }) => label)
  const bySection = Map.groupBy(types, ({ menu_section }) => labelOf(menu_section || CUSTOM_SECTION, labels))
  return [...new Set([...labels, ...bySection.keys()])].map((label) => {
    const section = menu.find((declared) => declared.label === label) ?? { label, groups: [] }
    const members = bySection.get(label)
    if (!members) return section
    const names = section.groups.map((group) => group.label)
    const byGroup = Map.groupBy(members, ({ group_name }) => labelOf(group_name || label, names))
    const groups = [...new Set([...names, ...byGroup.keys()])].map((name): MenuGroup => {
      const group = section.groups.find((declared) => declared.label === name) ?? { label: name, models: [] }
      const added = byGroup.get(name)?.map(({ object_type_name }) => object_type_name) ?? []
      return { ...group, models: [...group.models, ...added] }
    })
    const icon = section.groups.length === 0 ? members.find((type) => type.icon !== null)?.icon : undefined
    return { ...section, groups, ...(icon && { icon }) }
  })
}

/** Databases may contain secrets in the form of earlier versions of the program. */
const MASK_SECRETS: MigrationStep = { name: 'mask-secret-parameters', run: maskPastParameters }

/** The lists of a plugin's models. */
const menuOf = ({ label, models }: Plugin): MenuSection => ({
  label,
  groups: [{ label, models: models.filter(({ path }) => path).map(({ name }) => name) }],
})

/** The steps of a plugin, under names that no other plugin has. */
const stepsOf = ({ name, steps }: Plugin): readonly MigrationStep[] =>
  steps.map((step) => ({ ...step, name: `${name}.${step.name}`, plugin: name }))

const compiled = oncePerText(500, (model: Model, expression) => compileExpression(model, expression))

const NOTHING = { sql: () => sql`null`, reads: new Set<string>() }

/**
 * All models with their behaviours, to which `behaviours` adds those that need the running service. `identity`: taken
 * from the registry that this one replaces.
 */
export function registryOf(
  {
    plugins,
    settings,
    customModels = NO_CUSTOM_MODELS,
  }: Pick<Application, 'plugins' | 'settings'> & Partial<Pick<Application, 'customModels'>>,
  behaviours: readonly Behaviour[] = [],
  identity: object = {},
): Registry {
  const { types, computed } = customModels
  const expressionOf: ExpressionOf = (name, expression) => {
    try {
      return compiled(registry.model(name), expression)
    } catch (error) {
      // The field that it refers to may belong to a plugin that is not loaded any more.
      if (error instanceof ExpressionError) return NOTHING
      throw error
    }
  }
  const withComputed = (models: readonly Definition[]) => withComputedFields(models, computed, expressionOf)
  const configured = withServedPaths(withExtensions(configuredModels(MODELS, settings), types, hasSlugs), plugins)
  const definitionOf = (name: string) => configured.find((definition) => definition.name === name)
  const registry: Registry = buildRegistry(
    withComputed(configured),
    combined([
      ...BEHAVIOURS,
      ...behaviours,
      ...extensionBehaviours(types, definitionOf),
      ...plugins.flatMap((plugin) => plugin.behaviours.filter(({ model }) => !isOwn(plugin, model.name))),
      ...plugins.flatMap(({ afterEveryWrite }) =>
        afterEveryWrite.length === 0 ? [] : configured.map(({ name }) => everyWriteOf(afterEveryWrite, name)),
      ),
    ]),
    plugins
      .filter(({ models }) => models.length > 0)
      .map((plugin) => ({
        ...plugin,
        behaviours: combined(plugin.behaviours.filter(({ model }) => isOwn(plugin, model.name))),
        models: withDisplays(
          withComputedFields(withComputed(plugin.models), plugin.computed ?? [], expressionOf),
          expressionOf,
        ),
      })),
    VIEWS,
    identity,
  )
  return registry
}

/** The definitions with the paths at which plugins serve their objects too. */
function withServedPaths(definitions: readonly Definition[], plugins: readonly Plugin[]): readonly Definition[] {
  const served = Map.groupBy(
    plugins.flatMap(({ serves = {} }) => Object.entries(serves)),
    ([, model]) => model,
  )
  return definitions.map((definition) => {
    const paths = served.get(definition.name)?.map(([path]) => path)
    return paths ? Object.freeze({ ...definition, aliases: [...(definition.aliases ?? []), ...paths] }) : definition
  })
}

/** The effects of a plugin on writes of the model. */
const everyWriteOf = (effects: Plugin['afterEveryWrite'], name: string): Behaviour =>
  behaviourOf(name, { afterWrite: effects.map((run) => (effect: UntypedEffect) => run(name, effect)) })

/** Whether the plugin declares the model. */
const isOwn = ({ models }: Plugin, name: string): boolean => models.some((model) => model.name === name)

/** The definitions with the displays that are expressions. */
const withDisplays = (definitions: readonly Definition[], expressionOf: ExpressionOf): readonly Definition[] =>
  definitions.map((definition) => {
    const { displayExpression, name } = definition
    if (displayExpression === undefined) return definition
    return Object.freeze({
      ...definition,
      display: (column: ColumnOf) => sql`coalesce((${expressionOf(name, displayExpression).sql(column)})::text, '')`,
    })
  })

/** One behaviour for each model: the rules of its extensions, and those of packs, follow its own. */
function combined(behaviours: readonly Behaviour[]): readonly Behaviour[] {
  return [...Map.groupBy(behaviours, ({ model }) => model.name).values()].flatMap((parts) => {
    const [first] = parts
    if (!first || parts.length === 1) return first ?? []
    const hooks = HOOKS.map((hook) => [hook, parts.flatMap((part): readonly unknown[] => part[hook] ?? [])] as const)
    return { ...first, ...Object.fromEntries(hooks.filter(([, all]) => all.length > 0)) } as Behaviour // of one model
  })
}

/** The hooks of a behaviour that are lists. */
const HOOKS = [
  ...(['serializerRules', 'normalize', 'modelRules', 'beforeSave', 'beforeChangeRecord'] as const),
  ...(['afterWrite', 'deletionRules', 'beforeDelete'] as const),
]

/** What an expression of a model yields, or why it cannot be used; `name`: that of a new field, '' for none. */
export const checkExpression =
  (registryNow: () => Registry): CheckExpression =>
  (modelName, name, expression) => {
    const registry = registryNow()
    const model = registry.models.get(modelName)
    if (!model) return { field: 'name', problem: `There is no object type ${modelName}.` }
    const isTaken = model.fields.has(name) || model.steps.has(name) || parametersOf(registry, model).has(name)
    if (isTaken || RESERVED_NAMES.has(name)) {
      return { field: 'name', problem: `The name ${name} is taken. Choose another.` }
    }
    try {
      return { type: compileExpression(model, expression).type }
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error
      return { field: 'expression', problem: error.message }
    }
  }

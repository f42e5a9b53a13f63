import { type MigrationStep, STEPS } from '../../db/migrate/steps.ts'
import { configuredModels, type ModelSettings } from '../../models/configured-models.ts'
import { maskPastParameters } from '../../models/core/secret-parameters.ts'
import type { OwnType } from '../../models/custom-objects/own-models.ts'
import { BEHAVIOURS, MODELS, VIEWS } from '../../models/index.ts'
import { MENU } from '../../models/menu.ts'
import { CUSTOM_OBJECTS } from '../../schema/custom-objects.ts'
import type { MenuSection } from '../../schema/menu.ts'
import { buildRegistry, type Registry } from '../../schema/registry.ts'
import type { Behaviour } from '../../schema/rule.ts'
import { customObjects } from './custom-objects.ts'
import type { Plugin } from './plugin.ts'

/** The parts of the program, including those of its plugins. */
export interface Application {
  readonly plugins: readonly Plugin[]
  /** Settings that change declarations. */
  readonly settings: Partial<ModelSettings>
  /** Schema changes that cannot be derived from the declarations. */
  readonly steps: readonly MigrationStep[]
  /** Lists of the menu, by subject; lists of plugins come last. */
  readonly menu: readonly MenuSection[]
}

export const applicationOf = (plugins: readonly Plugin[], settings: Partial<ModelSettings> = {}): Application =>
  withTypes({ plugins, settings, steps: [...STEPS, MASK_SECRETS, ...plugins.flatMap(stepsOf)], menu: [] }, [])

/** The program with the models of these custom object types, instead of any others. */
export function withTypes(application: Application, types: readonly OwnType[]): Application {
  const plugins = application.plugins.filter(({ name }) => name !== CUSTOM_OBJECTS)
  return {
    ...application,
    plugins: [...plugins, customObjects(types)],
    menu: [...MENU, ...plugins.map(menuOf), ...customMenu(types)],
  }
}

/** The lists of custom objects, in groups. */
const customMenu = (types: readonly OwnType[]): readonly MenuSection[] => {
  const groups = Map.groupBy(types, ({ type }) => type.group_name)
  return types.length === 0
    ? []
    : [
        {
          label: CUSTOM_SECTION,
          groups: [...groups].map(([label, members]) => ({
            label: label || CUSTOM_SECTION,
            models: members.map(({ type }) => type.object_type_name),
          })),
        },
      ]
}

const CUSTOM_SECTION = 'Custom Objects'

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

/**
 * All models with their behaviours. `behaviours` are those that need the running service, and `identity` is the one of the registry
 * that this one replaces.
 */
export const registryOf = (
  { plugins, settings }: Pick<Application, 'plugins' | 'settings'>,
  behaviours: readonly Behaviour[] = [],
  identity: object = {},
): Registry =>
  buildRegistry(configuredModels(MODELS, settings), [...BEHAVIOURS, ...behaviours], plugins, VIEWS, identity)

import { type MigrationStep, STEPS } from '../../db/migrate/steps.ts'
import { configuredModels, type ModelSettings } from '../../models/configured-models.ts'
import { maskPastParameters } from '../../models/core/secret-parameters.ts'
import { BEHAVIOURS, MODELS, VIEWS } from '../../models/index.ts'
import { MENU } from '../../models/menu.ts'
import type { MenuSection } from '../../schema/menu.ts'
import { buildRegistry, type Registry } from '../../schema/registry.ts'
import type { Behaviour } from '../../schema/rule.ts'
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

export const applicationOf = (plugins: readonly Plugin[], settings: Partial<ModelSettings> = {}): Application => ({
  plugins,
  settings,
  steps: [...STEPS, MASK_SECRETS, ...plugins.flatMap(stepsOf)],
  menu: [...MENU, ...plugins.map(menuOf)],
})

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

/** All models with their behaviours. `behaviours` are those that need the running service. */
export const registryOf = (
  { plugins, settings }: Pick<Application, 'plugins' | 'settings'>,
  behaviours: readonly Behaviour[] = [],
): Registry => buildRegistry(configuredModels(MODELS, settings), [...BEHAVIOURS, ...behaviours], plugins, VIEWS)

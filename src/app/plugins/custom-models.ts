import {
  behaviourOf,
  type CustomModel,
  definitionOf,
  labelsOf,
  overviewsOf,
  rootNames,
  viewOf,
} from '../../models/custom-models/custom-models.ts'
import { customObjectFieldModel } from '../../models/custom-models/custom-object-field.view.ts'
import { customObjectTypeModel } from '../../models/custom-models/custom-object-type.view.ts'
import { extensionGroups, isExtension } from '../../models/custom-models/extensions.ts'
import { MODELS } from '../../models/index.ts'
import { CUSTOM_MODELS_APP } from '../../schema/custom-models.ts'
import type { RegisteredModel } from '../../schema/view.ts'
import { type Plugin, plugin } from './plugin.ts'

const SLUGGED = new Set(MODELS.filter(({ fields }) => 'slug' in fields).map(({ name }) => name))

export const hasSlugs = (model: string): boolean => SLUGGED.has(model)

const PLURALS = MODELS.map(({ name, labels }) => [name, labels[1]] as const)

/** The models of the definitions themselves. */
const DEFINITIONS: readonly RegisteredModel[] = [customObjectTypeModel, customObjectFieldModel]

/** The custom models, in the form of a plugin, with the models whose rows define them. */
export function customModelsPlugin(all: readonly CustomModel[] = []): Plugin {
  const types = all.filter((defined) => !isExtension(defined))
  const roots = rootNames(types)
  const plurals = new Map([...PLURALS, ...types.map(({ type }) => [type.object_type_name, labelsOf(type)[1]] as const)])
  const pluralOf = (model: string): string => plurals.get(model) ?? model
  const definitions = types.map((type) => ({ type, definition: definitionOf(type, roots.get(type) ?? '', hasSlugs) }))
  return plugin({
    name: CUSTOM_MODELS_APP,
    path: 'custom-objects',
    packageName: 'netbox_custom_objects',
    isUnlisted: types.length === 0,
    label: 'Custom Objects',
    // The version whose API this is.
    version: '0.7.1',
    models: [...DEFINITIONS.map(({ model }) => model), ...definitions.map(({ definition }) => definition)],
    behaviours: [
      ...DEFINITIONS.flatMap(({ behaviour }) => behaviour ?? []),
      ...definitions.map(({ type, definition }) => behaviourOf(type, definition)),
    ],
    overviews: overviewsOf(types),
    groups: extensionGroups(all),
    views: [...DEFINITIONS.flatMap(({ view }) => view ?? []), ...types.map((type) => viewOf(type, pluralOf))],
  })
}

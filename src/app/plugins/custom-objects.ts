import {
  behaviourOf,
  type DefinedType,
  definitionOf,
  overviewsOf,
  rootNames,
  viewOf,
} from '../../models/custom-objects/custom-models.ts'
import { CUSTOM_OBJECT_MODELS } from '../../models/custom-objects/definition-models.ts'
import { extensionGroups } from '../../models/custom-objects/extensions.ts'
import { MODELS } from '../../models/index.ts'
import { CUSTOM_OBJECTS } from '../../schema/custom-objects.ts'
import { type Plugin, plugin } from './plugin.ts'

const SLUGGED = new Set(MODELS.filter(({ fields }) => 'slug' in fields).map(({ name }) => name))

export const hasSlugs = (model: string): boolean => SLUGGED.has(model)

/** The models that users have defined, in the form of a plugin, with the models of their definitions. */
export function customObjects(all: readonly DefinedType[] = []): Plugin {
  const types = all.filter(({ type }) => type.extends === null)
  const roots = rootNames(types)
  const definitions = types.map((type) => ({ type, definition: definitionOf(type, roots.get(type) ?? '', hasSlugs) }))
  return plugin({
    name: CUSTOM_OBJECTS,
    path: 'custom-objects',
    packageName: 'netbox_custom_objects',
    isUnlisted: types.length === 0,
    label: 'Custom Objects',
    // The version whose API this is.
    version: '0.7.1',
    models: [...CUSTOM_OBJECT_MODELS.map(({ model }) => model), ...definitions.map(({ definition }) => definition)],
    behaviours: [
      ...CUSTOM_OBJECT_MODELS.flatMap(({ behaviour }) => behaviour ?? []),
      ...definitions.map(({ type, definition }) => behaviourOf(type, definition)),
    ],
    overviews: overviewsOf(types),
    groups: extensionGroups(all),
    views: [...CUSTOM_OBJECT_MODELS.flatMap(({ view }) => view ?? []), ...types.map(viewOf)],
  })
}

import { isJsonObject, type Json } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import type { TypedObjects } from '../../schema/view.ts'
import type { Control } from '../components/control.ts'
import { humanize } from '../components/humanize.ts'
import { shownTitle } from '../components/model-title.ts'
import { translate, translateLabel } from '../texts/translate.ts'
import { typeOptions } from './fields/form-entry.ts'

/**
 * Controls for a list of objects of one of several types, such as the ends of a cable: their type, their device, and
 * the objects.
 */
export function objectListControls(
  registry: Registry,
  name: string,
  { types, within }: TypedObjects,
  value: Json | undefined,
): readonly Control[] {
  const items = Array.isArray(value) ? value.filter(isJsonObject) : []
  const chosen = items.map(({ object_id: id, object }) => ({
    value: String(id),
    ...(isJsonObject(object) && { label: String(object.display) }),
  }))
  const first = items[0]
  const outer = registry.model(within.model)
  const owner = isJsonObject(first?.object) ? first.object[outer.key] : undefined
  const options = typeOptions(types.map((type) => registry.model(type)))
  return [
    {
      name: `${name}_type`,
      label: translate('Type'),
      input: {
        kind: 'select',
        options,
        chosen: [String(first?.object_type ?? types[0] ?? '')],
      },
      sentAs: 'none',
    },
    {
      name: ownerControl(name, outer),
      label: shownTitle(outer),
      help: translate('Narrows the choice below.'),
      input: {
        kind: 'objects',
        collection: `/api/${outer.path}/`,
        key: 'id',
        isMultiple: false,
        chosen: isJsonObject(owner) ? [{ value: String(owner.id), label: String(owner.display) }] : [],
      },
      sentAs: 'none',
    },
    {
      name,
      label: translateLabel(humanize(name)),
      input: { kind: 'objects', typedBy: `${name}_type`, key: 'id', isMultiple: true, chosen },
      sentAs: 'typedIds',
    },
  ]
}

/** Name of the control for the objects' parent: `a_terminations_device`. */
export const ownerControl = (name: string, { key }: Pick<Model, 'key'>): string => `${name}_${key}`

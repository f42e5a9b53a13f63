import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { oncePer } from '../../schema/once-per.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { offersMethod } from '../components/offered-methods.ts'
import { isNamedByPattern } from '../forms/name-pattern.ts'
import type { Text } from '../texts/translate.ts'

/** Fields by which objects are renamed: the first that the model has, and the label of components. */
const NAMES = ['name', 'cid', 'model', 'ssid', 'username', 'label'] as const

/** Text fields of the model that can be changed for many objects by find and replace. */
export const renamedFields = (model: Model): readonly string[] =>
  NAMES.filter((name) => {
    if (!offersMethod(model, 'PATCH')) return false
    const field = model.fields.get(name)
    return field?.kind === 'text' && !('readOnly' in field && field.readOnly === true)
  })

export const hasBulkEdit = (registry: Registry, model: Model): boolean =>
  offersMethod(model, 'PATCH') && (registry.view(model).bulkEdit ?? []).length > 0

export const hasBulkDelete = (model: Model): boolean => offersMethod(model, 'DELETE')

/** The model of the cables connected to the model's objects; undefined if there is none. */
export function cableModelOf(registry: Registry, model: Model): Model | undefined {
  const field = model.fields.get('cable')
  return field?.kind === 'foreignKey' ? registry.model(field.to) : undefined
}

/** Whether the model's objects follow the files of a data source. */
export const isSynchronised = ({ definition }: Model): boolean => definition.actions?.includes('sync') === true

/** An action on several objects of a list: its label and the address of its page. */
interface BulkAction {
  readonly label: Text
  readonly action: string
  readonly isDangerous?: boolean
}

/** Actions that the sender may perform on several objects of the model at once. */
export function bulkActions({ actor, service }: ApiRequest, model: Model): readonly BulkAction[] {
  const { settings, registry } = service
  const page = `${settings.basePath}${pagePathOf(model)}`
  const mayChange = mayAct(actor, 'change', model, settings)
  const cable = cableModelOf(registry, model)
  const canDisconnect = cable && mayChange && mayAct(actor, 'delete', cable, settings)
  const canAddParts =
    mayChange && componentModelsOf(registry, model).some((part) => mayAct(actor, 'add', part.model, settings))
  const canRename = mayChange && renamedFields(model).length > 0
  return [
    ...(mayChange && hasBulkEdit(registry, model) ? [{ label: 'Edit' as const, action: `${page}edit/` }] : []),
    ...(canRename ? [{ label: 'Rename' as const, action: `${page}rename/` }] : []),
    ...(canAddParts ? [{ label: 'Add components' as const, action: `${page}components/` }] : []),
    ...(canDisconnect ? [{ label: 'Disconnect' as const, action: `${page}disconnect/` }] : []),
    ...(isSynchronised(model) && mayAct(actor, 'sync', model, settings)
      ? [{ label: 'Sync' as const, action: `${page}sync/` }]
      : []),
    ...(hasBulkDelete(model) && mayAct(actor, 'delete', model, settings)
      ? [{ label: 'Delete' as const, action: `${page}delete/`, isDangerous: true }]
      : []),
  ]
}

/** Objects that are parts of other objects, and their relation to the parent: the interfaces of a device. */
export interface ComponentModel {
  readonly model: Model
  readonly owner: string
}

/**
 * The models of parts that an object of the model may have several of and that can be named by a pattern, in the order
 * of its tabs.
 */
export const componentModelsOf = (registry: Registry, model: Model): readonly ComponentModel[] =>
  componentsByOwner(registry).get(model.name) ?? []

const componentsByOwner = oncePer((registry: Registry): ReadonlyMap<string, readonly ComponentModel[]> => {
  const parts = [...registry.models.values()].flatMap((part) => {
    const owner = registry.view(part).context?.[0] ?? ''
    const field = part.fields.get(owner)
    const isPart = isNamedByPattern(registry, part) && field?.kind === 'foreignKey'
    return isPart && offersMethod(part, 'POST') ? [{ model: part, owner, to: field.to }] : []
  })
  return new Map(
    [...Map.groupBy(parts, ({ to }) => to)].map(([owner, components]) => {
      const tabs = (registry.view(registry.model(owner)).tabs ?? []).map(({ model }) => model)
      // Parts without a tab come last.
      const place = ({ model }: ComponentModel): number => tabs.indexOf(model.name) >>> 0
      return [owner, components.toSorted((a, b) => place(a) - place(b))]
    }),
  )
})

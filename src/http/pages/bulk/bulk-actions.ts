import { mayAct } from '../../../auth/permitted-rows.ts'
import { pagePathOf } from '../../../schema/page-path.ts'
import type { Model, Registry } from '../../../schema/registry.ts'
import type { ApiRequest } from '../../api-request.ts'
import { offersMethod } from '../offered-methods.ts'

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

/** An action on several objects of a list: its label and the address of its page. */
export interface BulkAction {
  readonly label: string
  readonly action: string
  readonly isDangerous?: boolean
}

/** Actions that the sender may perform on several objects of the model at once. */
export function bulkActions({ actor, service }: ApiRequest, model: Model): readonly BulkAction[] {
  const { settings, registry } = service
  const page = `${settings.basePath}${pagePathOf(model)}`
  const mayChange = mayAct(actor, 'change', model, settings)
  const canRename = mayChange && renamedFields(model).length > 0
  return [
    ...(mayChange && hasBulkEdit(registry, model)
      ? [{ label: 'Edit', action: `${page}edit/` }]
      : []),
    ...(canRename ? [{ label: 'Rename', action: `${page}rename/` }] : []),
    ...(hasBulkDelete(model) && mayAct(actor, 'delete', model, settings)
      ? [{ label: 'Delete', action: `${page}delete/`, isDangerous: true }]
      : []),
  ]
}

import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { isCableable } from '../../models/dcim/cabling/cable-end-types.ts'
import { isVirtual, isWireless } from '../../models/dcim/interface-kind.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { mayActOn } from '../data/page-objects.ts'
import { ownerControl } from '../forms/object-list-controls.ts'
import { RETURN } from '../forms/return-path.ts'
import type { ObjectPart } from '../frame/object-content.ts'
import { type Content, html } from '../html.ts'
import { addressHere } from '../object-parts/add-child.ts'
import { translate } from '../texts/translate.ts'
import { CABLING_MODELS } from './cabling-models.ts'

/** Fields that determine whether an object can be connected. */
export const CONNECT_FIELDS = ['_occupied', 'cable', 'mark_connected', 'type'] as const

/** Address of the form that connects the object, which leads back to this page; undefined if that is not possible. */
export function connectAddress(request: ApiRequest, model: Model, object: JsonObject): string | undefined {
  const { actor, service } = request
  const { registry, settings } = service
  const cable = registry.models.get(CABLING_MODELS.cable)
  if (!cable || !mayAct(actor, 'add', cable, settings)) return undefined
  const { type } = object
  const kind = model.fields.has('untagged_vlan') && isJsonObject(type) ? String(type.value) : undefined
  if (object._occupied === true || !takesCable(model.name, kind)) return undefined
  const device = registry.model(CABLING_MODELS.device)
  const parent = object[device.key]
  const query = new URLSearchParams({
    a_terminations_type: model.name,
    ...(isJsonObject(parent) && { [ownerControl('a_terminations', device)]: String(parent.id) }),
    a_terminations: String(object.id),
    [RETURN]: addressHere(request),
  })
  return `${settings.basePath}${pagePathOf(cable)}add/?${query}`
}

/**
 * URL of the page that deletes the cable of an object and returns to this page; undefined if the sender may not delete
 * it.
 */
export async function disconnectAddress(request: ApiRequest, { cable }: JsonObject): Promise<string | undefined> {
  const { registry, settings } = request.service
  const model = registry.models.get(CABLING_MODELS.cable)
  if (!model || !isJsonObject(cable) || !(await mayActOn(request, 'delete', model, Number(cable.id)))) return undefined
  const query = new URLSearchParams({ [RETURN]: addressHere(request) })
  return `${settings.basePath}${pagePathOf(model)}${cable.id}/delete/?${query}`
}

/** The button on an object's page that connects it, or the one that deletes its cable. */
export const connectPart: ObjectPart = {
  models: ({ fields }) => fields.has('cable'),
  load: async ({ request, model, object }) => {
    const connect = connectAddress(request, model, object)
    const disconnect = await disconnectAddress(request, object)
    return {
      actions: html`${connect && html`<a class="button quiet" href="${connect}">${translate('Connect')}</a>`}${disconnect && html`<a class="button quiet" href="${disconnect}">${translate('Disconnect')}</a>`}`,
    }
  },
}

/** The link from the list of cables to the page that connects several ports. */
export const connectListLink = ({ service }: ApiRequest, model: Model): Content =>
  model.name === CABLING_MODELS.cable &&
  html`<a class="button quiet" href="${service.settings.basePath}${pagePathOf(model)}${CONNECT}/">${translate('Connect ports')}</a>`

/** Whether a cable may end at objects of the model; for interfaces, this also depends on `type`. */
const takesCable = (model: string, type: string | undefined): boolean =>
  isCableable(model) && (type === undefined || !(isVirtual(type) || isWireless(type)))

/** Last segment of the address of the page that connects several ports, below the list of cables. */
export const CONNECT = 'connect'

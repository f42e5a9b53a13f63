import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import type { Model } from '../../schema/registry.ts'
import type { ObjectPart } from '../frame/object-content.ts'
import { type Content, html } from '../html.ts'
import { filtersIn } from '../lists/list-query.ts'
import { translate } from '../texts/translate.ts'
import { TOPOLOGY_MODELS } from './topology-links.ts'

/** The button of a place's page that leads to the map of its devices. */
export const topologyPart: ObjectPart = {
  models: () => true,
  load: ({ request, model, object }) => {
    const { mapFilter } = request.service.registry.view(model)
    if (mapFilter === undefined) return {}
    const filters = new URLSearchParams({ [mapFilter]: String(object.id) })
    return { actions: topologyLink(request, filters) }
  },
}

/** The link from the list of devices to the map of the devices that its filters select. */
export const topologyListLink = (request: ApiRequest, { name }: Model): Content =>
  name === TOPOLOGY_MODELS.device && topologyLink(request, filtersIn(request.search))

function topologyLink({ actor, service }: ApiRequest, filters: URLSearchParams): Content {
  const devices = service.registry.models.get(TOPOLOGY_MODELS.device)
  if (!devices || !mayAct(actor, 'view', devices, service.settings)) return undefined
  return html`<a class="button quiet" href="${service.settings.basePath}${TOPOLOGY}?${filters.toString()}">${translate('Topology')}</a>`
}

/** Path of the map of devices, below the base path. */
export const TOPOLOGY = '/dcim/topology/'

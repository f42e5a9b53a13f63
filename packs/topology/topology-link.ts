import { type ApiRequest, type Model, mayAct } from 'cadastre'
import { type Content, filtersIn, html, type ObjectPart, translate } from 'cadastre/web'
import { TOPOLOGY_MODELS } from './topology-links.ts'

/** Filters of devices by the place that has a map of them. */
const FILTERS: ReadonlyMap<string, string> = new Map([
  ['dcim.region', 'region_id'],
  ['dcim.site', 'site_id'],
  ['dcim.location', 'location_id'],
  ['dcim.rack', 'rack_id'],
])

/** The button of a place's page that leads to the map of its devices. */
export const topologyPart: ObjectPart = {
  models: [...FILTERS.keys()],
  load: ({ request, model, object }) => {
    const filters = new URLSearchParams({ [FILTERS.get(model.name) ?? '']: String(object.id) })
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

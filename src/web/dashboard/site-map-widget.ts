import { mayAct } from '../../identity/permitted-rows.ts'
import { html } from '../components/html.ts'
import { siteMap } from '../site-map/site-map.ts'
import { SITE, siteMapPath } from '../site-map/site-map-link.ts'
import { sitesOnMap } from '../site-map/sites-on-map.ts'
import { translate } from '../texts/translate.ts'
import type { WidgetKind } from './widget.ts'

/** The sites that the viewer may see, on a small map. */
export const SITES_ON_MAP: WidgetKind = {
  label: 'Map of sites',
  help: 'The sites with coordinates on a map of the world or of their region',
  width: 6,
  controls: () => [],
  configOf: () => ({}),
  content: async (request) => {
    const { registry, settings } = request.service
    if (!mayAct(request.actor, 'view', registry.model(SITE), settings)) return undefined
    const { placed } = await sitesOnMap(request, new URLSearchParams())
    if (placed.length === 0) return undefined
    const map = await siteMap(request, placed, ['narrow'])
    return html`${map}<p class="all"><a href="${siteMapPath(settings.basePath, new URLSearchParams())}">${translate('Show the map')}</a></p>`
  },
}

import { mayAct } from 'cadastre'
import { html, packPages, translate, type WidgetKind } from 'cadastre/web'
import { siteMap } from './site-map.ts'
import { SITE, SITE_MAP, siteMapLink, siteMapPath } from './site-map-link.ts'
import { siteMapPage } from './site-map-page.ts'
import { sitesOnMap } from './sites-on-map.ts'

/** The sites that the viewer may see, on a small map. */
const SITES_ON_MAP: WidgetKind = {
  label: 'Map of sites',
  help: 'The sites with coordinates on a map of the world or of their region',
  width: 6,
  styles: ['site-map.css'],
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

export default packPages({
  pages: [[SITE_MAP, 'GET', siteMapPage]],
  listLinks: [siteMapLink],
  widgets: { 'cadastre.SiteMapWidget': SITES_ON_MAP },
})

import { packPages } from 'cadastre/web'
import { SITE_MAP, siteMapLink } from './site-map-link.ts'
import { siteMapPage } from './site-map-page.ts'
import { SITES_ON_MAP } from './site-map-widget.ts'

export default packPages({
  pages: [[SITE_MAP, 'GET', siteMapPage]],
  listLinks: [siteMapLink],
  widgets: { 'cadastre.SiteMapWidget': SITES_ON_MAP },
})

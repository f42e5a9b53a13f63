import type { ApiRequest, Model } from 'cadastre'
import { type Content, filtersIn, html, translate } from 'cadastre/web'

/** The model whose objects the map shows. */
export const SITE = 'dcim.site'

/** Path of the map of sites, below the base path. */
export const SITE_MAP = '/dcim/sites/map/'

/** The link from the list of sites to the map of the sites that its filters select. */
export const siteMapLink = ({ service, search }: ApiRequest, { name }: Model): Content =>
  name === SITE &&
  html`<a class="button quiet" href="${siteMapPath(service.settings.basePath, filtersIn(search))}">${translate('Map')}</a>`

/** Path of the map of the sites that the filters select. */
export const siteMapPath = (basePath: string, filters: URLSearchParams): string =>
  `${basePath}${SITE_MAP}${filters.size > 0 ? `?${filters}` : ''}`

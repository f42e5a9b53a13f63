import type { ApiRequest } from '../api/api-request.ts'
import type { Endpoint } from '../api/endpoint.ts'
import type { HttpResponse } from '../api/response.ts'
import { ID, type Routes } from '../api/routes.ts'
import type { Authentication } from '../identity/authenticate.ts'
import type { MenuSection } from '../schema/menu.ts'
import { pagePathOf } from '../schema/page-path.ts'
import type { Model, Registry } from '../schema/registry.ts'
import { accountRoutes } from './account/routes.ts'
import { splitPages } from './addresses/split-page.ts'
import { configurationPage } from './administration/configuration.ts'
import { systemPage } from './administration/system.ts'
import { cablingPages } from './cabling/connect-page.ts'
import { offersMethod } from './components/offered-methods.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import { deletePage } from './forms/delete-page.ts'
import { BULK_ADD } from './forms/edit-form-page.ts'
import { addPage, bulkAddPage, editPage } from './forms/edit-page.ts'
import { pageEndpoint } from './frame/page-endpoint.ts'
import { createFrame, type PageFrame } from './frame/page-frame.ts'
import { gridPages } from './grid/grid-page.ts'
import { importPages } from './import/import-page.ts'
import { objectListPage } from './lists/list-page.ts'
import { listPreferences } from './lists/list-preferences.ts'
import { LIST_PAGES } from './lists/routes.ts'
import { LIVE_CHANGES, liveChangesPage } from './live/live-changes.ts'
import type { ModelPageRow } from './object/object-content.ts'
import { objectPages } from './object/routes.ts'
import { ELEVATIONS } from './racks/elevation-section.ts'
import { elevationsPage } from './racks/elevations-page.ts'
import { searchPage } from './search/search-page.ts'
import { ENGLISH, inLanguage } from './texts/language.ts'
import { TOPOLOGY } from './topology/topology-link.ts'
import { topologyPage } from './topology/topology-page.ts'

/** The list of every model, its deletion, and the forms for objects that the API writes. */
const modelPages = (model: Model): readonly ModelPageRow[] => [
  ['', 'GET', listOrExport],
  [`${ID}/delete/`, 'GET POST', deletePage],
  ...FORM_PAGES.filter(([method]) => offersMethod(model, method)).map(([, row]) => row),
]

const FORM_PAGES: readonly (readonly [Parameters<typeof offersMethod>[1], ModelPageRow])[] = [
  ['POST', ['add/', 'GET POST', addPage]],
  ['PATCH', [`${ID}/edit/`, 'GET POST', editPage]],
]

/** The form for several objects, of the models that have one. */
const bulkAddPages = (registry: Registry, model: Model): readonly ModelPageRow[] =>
  registry.view(model).bulkAdd ? [[BULK_ADD, 'GET POST', bulkAddPage]] : []

/** A model's list, as a page or as a download (`?export`), which is English. */
async function listOrExport(
  frame: PageFrame,
  request: ApiRequest,
  model: Model,
): Promise<HttpResponse> {
  if (!request.search.has('export')) return await objectListPage(frame, request, model)
  const { chosenColumns } = await listPreferences(request, model)
  // Users without a choice of their own receive the columns of the reference.
  const columns = chosenColumns ?? request.service.registry.view(model).columns
  // Loaded with the first download, with the libraries for CSV and YAML.
  const { exportList } = await import('./export/export-list.ts')
  return await inLanguage(ENGLISH, () => exportList(request, model, columns))
}

/** The pages for people, by pattern. */
export function pageRoutes(
  registry: Registry,
  menu: readonly MenuSection[],
  authentication: Authentication,
  routes: Pick<Routes, 'find'>,
): ReadonlyMap<string, Endpoint> {
  const frame = createFrame(menu)
  const pages = new Map<string, Endpoint>(accountRoutes(frame, authentication, routes))
  pages.set(
    '/core/system/',
    pageEndpoint(frame, 'GET', (request) => systemPage(frame, request)),
  )
  pages.set(
    '/core/config-revisions/',
    pageEndpoint(frame, 'GET POST', (request) => configurationPage(frame, request)),
  )
  pages.set(
    ELEVATIONS,
    pageEndpoint(frame, 'GET', (request) => elevationsPage(frame, request)),
  )
  pages.set(
    LIVE_CHANGES,
    pageEndpoint(frame, 'GET', (request) => liveChangesPage(frame, routes, request)),
  )
  for (const [path, endpoint] of dashboardRoutes(frame, menu)) pages.set(path, endpoint)
  for (const model of registry.models.values()) {
    const root = pagePathOf(model)
    if (root === undefined) continue
    for (const [path, methods, page] of [
      ...modelPages(model),
      ...bulkAddPages(registry, model),
      ...LIST_PAGES,
      ...cablingPages(model),
      ...importPages(model),
      ...gridPages(model),
      ...splitPages(registry, model),
      ...objectPages(registry, model, routes),
    ]) {
      pages.set(
        `${root}${path}`,
        pageEndpoint(frame, methods, (request) => page(frame, request, model)),
      )
    }
  }
  pages.set(
    TOPOLOGY,
    pageEndpoint(frame, 'GET', (request) => topologyPage(frame, request)),
  )
  pages.set(
    '/search/',
    pageEndpoint(frame, 'GET', (request) => searchPage(frame, request)),
  )
  return pages
}

import type { ApiRequest } from '../api/api-request.ts'
import type { Endpoint } from '../api/endpoint.ts'
import { ID, type Routes } from '../api/routes.ts'
import { branchedModels } from '../db/branches/branch-tables.ts'
import type { Authentication } from '../identity/authenticate.ts'
import type { MenuSection } from '../schema/menu.ts'
import { pagePathOf } from '../schema/page-path.ts'
import type { Model, Registry } from '../schema/registry.ts'
import { chooseTheme } from './account/preferences.ts'
import { accountPages } from './account/routes.ts'
import { AGENTS } from './account/tokens-page.ts'
import { agentsPage } from './administration/agents.ts'
import { configurationPage } from './administration/configuration.ts'
import { signInPage } from './administration/sign-in.ts'
import { systemPage } from './administration/system.ts'
import { cablingPages } from './cabling/connect-page.ts'
import { comparePages } from './compare/compare-page.ts'
import { offersMethod } from './components/offered-methods.ts'
import { dashboardPages } from './dashboard/routes.ts'
import { widgetKinds } from './dashboard/widget-content.ts'
import { deletePage } from './edit-pages/delete-page.ts'
import { BULK_ADD } from './edit-pages/edit-form-page.ts'
import { addPage, bulkAddPage, editPage } from './edit-pages/edit-page.ts'
import { ownModelPages } from './edit-pages/own-model-page.ts'
import { expressionCheck } from './forms/expression-check.ts'
import { CHOOSE_BRANCH } from './frame/branch-menu.ts'
import { COMPONENTS, componentsPage } from './frame/components-page.ts'
import type { PageContributions } from './frame/contributions.ts'
import { notFoundPage } from './frame/error-pages.ts'
import { chooseBranch } from './frame/page-branch.ts'
import type { ModelPageRow } from './frame/page-endpoint.ts'
import { type PageRow, pageEndpoint } from './frame/page-endpoint.ts'
import { createFrame, type PageResponse } from './frame/page-frame.ts'
import { gridPages } from './grid/grid-page.ts'
import { guidePages } from './guides/guide-pages.ts'
import { importPages } from './import/import-page.ts'
import { objectListPage } from './list-pages/list-page.ts'
import { LIST_PAGES } from './list-pages/routes.ts'
import { listPreferences } from './lists/list-preferences.ts'
import { LIVE_CHANGES, liveChangesPage } from './live/live-changes.ts'
import { objectPages } from './object/routes.ts'
import { isCatalogue, packsPage } from './packs/packs-page.ts'
import { ELEVATIONS } from './racks/elevation-section.ts'
import { elevationsPage } from './racks/elevations-page.ts'
import { SCORES, scoresPage } from './rules/scores-page.ts'
import { scriptUploadPages } from './scripts/upload-page.ts'
import { searchPage } from './search/search-page.ts'
import { searchSuggestions } from './search/suggestions.ts'
import { startPages } from './start/routes.ts'
import { ENGLISH, inLanguage } from './texts/language.ts'

/** The list of every model, its deletion, and the forms for objects that the API writes. */
const modelPages = (model: Model, added: PageContributions): readonly ModelPageRow[] => [
  ['', 'GET', (request) => listOrExport(request, model, added)],
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
async function listOrExport(request: ApiRequest, model: Model, added: PageContributions): Promise<PageResponse> {
  // The catalogue of packs; with filters, they are a table like all others.
  if (isCatalogue(request, model)) return await packsPage(request, model)
  if (!request.search.has('export')) return await objectListPage(request, model, added)
  const { chosenColumns } = await listPreferences(request, model)
  // Users who have not chosen columns get those of the reference.
  const columns = chosenColumns ?? request.service.registry.view(model).columns
  // Loaded with the first download, with the libraries for CSV and YAML.
  const { exportList } = await import('./export/export-list.ts')
  return await inLanguage(ENGLISH, () => exportList(request, model, columns))
}

/** Pages about data that branches share. */
const SHARED = { isShared: true }

/** The pages for people, by pattern. `added`: by plugins. */
export function pageRoutes(
  registry: Registry,
  { menu, added }: { readonly menu: readonly MenuSection[]; readonly added: PageContributions },
  authentication: Authentication,
  routes: Pick<Routes, 'find'>,
): ReadonlyMap<string, Endpoint> {
  const pages: PageRow[] = [
    ...dashboardPages({ menu, kinds: widgetKinds(added.widgets) }),
    ...accountPages(authentication, routes),
    ...startPages(authentication, menu),
    notFoundPage,
    ...guidePages,
    ['/core/system/', 'GET', systemPage, SHARED],
    ['/core/config-revisions/', 'GET POST', configurationPage, SHARED],
    ['/users/sign-in/', 'GET POST', signInPage, SHARED],
    [AGENTS, 'GET', agentsPage, SHARED],
    [ELEVATIONS, 'GET', elevationsPage],
    [LIVE_CHANGES, 'GET', (request) => liveChangesPage(routes, request), SHARED],
    [SCORES, 'GET', scoresPage, SHARED],
    ['/search/', 'GET', searchPage],
    [COMPONENTS, 'GET', componentsPage],
    ['/search/suggestions/', 'GET', searchSuggestions],
    ['/extras/computed-fields/check/', 'GET', expressionCheck],
    ...added.pages,
  ]
  for (const model of registry.models.values()) {
    const root = pagePathOf(model)
    if (root === undefined) continue
    const isShared = !branchedModels(registry).has(model.name)
    for (const [path, methods, page] of [
      ...modelPages(model, added),
      ...bulkAddPages(registry, model),
      ...LIST_PAGES,
      ...cablingPages(model),
      ...importPages(model),
      ...gridPages(model),
      ...comparePages(model),
      ...ownModelPages(model),
      ...scriptUploadPages(model, routes),
      ...objectPages(registry, model, routes, added),
    ]) {
      pages.push([`${root}${path}`, methods, (request) => page(request, model), { isShared }])
    }
  }
  const frame = createFrame(menu)
  return new Map([
    ...pages.map((page) => pageEndpoint(frame, page)),
    ['/user/theme/', chooseTheme],
    [CHOOSE_BRANCH, chooseBranch],
  ])
}

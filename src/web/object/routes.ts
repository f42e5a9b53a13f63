import type { ApiRequest } from '../../api/api-request.ts'
import type { HttpResponse } from '../../api/response.ts'
import { ID } from '../../api/routes.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { OwnTab } from '../../schema/view.ts'
import { panelTab } from '../cabling/panel-tab.ts'
import { powerTab } from '../cabling/power-tab.ts'
import type { PageFrame } from '../frame/page-frame.ts'
import { stopJobPage } from '../scripts/job-part.ts'
import { runTab } from '../scripts/run-tab.ts'
import { actionPage, actionPathsOf } from './action-buttons.ts'
import type { ApiRoutes } from './ask-api.ts'
import { changelogTab } from './changelog-tab.ts'
import { childrenTab } from './children-tab.ts'
import { configContextTab } from './config-context-tab.ts'
import { contactsTab } from './contacts-tab.ts'
import { customLinksPage } from './custom-links.ts'
import { imagesTab } from './images-tab.ts'
import { jobsTab } from './jobs-tab.ts'
import { journalTab } from './journal-tab.ts'
import { logTab } from './log-tab.ts'
import { MARKS, markPage } from './marks.ts'
import { objectPage } from './object-page.ts'
import { renderConfigTab } from './render-config-tab.ts'
import { tabPathsOf } from './tabs.ts'
import { traceTab } from './trace-tab.ts'
import { undoPage } from './undo-page.ts'

/** Makes a page of a model. */
export type ModelPage = (
  frame: PageFrame,
  request: ApiRequest,
  model: Model,
) => Promise<HttpResponse>

/** A page of a model: its address below that of the list, methods, what makes it. */
export type ModelPageRow = readonly [path: string, methods: 'GET' | 'GET POST', page: ModelPage]

type TabRow = readonly [methods: ModelPageRow[1], page: (routes: ApiRoutes) => ModelPage]

/** The tabs that are the same for all models that have them, by their address. */
const TABS: Readonly<Record<string, TabRow>> = {
  changelog: ['GET', () => changelogTab],
  'config-context': ['GET', () => configContextTab],
  contacts: ['GET', () => contactsTab],
  'image-attachments': ['GET POST', () => imagesTab],
  jobs: ['GET', () => jobsTab],
  journal: ['GET POST', () => journalTab],
  log: ['GET', () => logTab],
  'render-config': ['GET POST', renderConfigTab],
  run: ['GET POST', runTab],
  trace: ['GET', () => traceTab],
}

/** The tabs that a view names. */
const OWN_TABS: Readonly<Record<OwnTab['path'], ModelPage>> = { panel: panelTab, power: powerTab }

/** The pages of an object beside those that change it. `routes`: the API's endpoints. */
export function objectPages(
  registry: Registry,
  model: Model,
  routes: ApiRoutes,
): readonly ModelPageRow[] {
  const children = (registry.view(model).tabs ?? []).map(
    (tab): ModelPageRow => [`${ID}/${tab.path}/`, 'GET', childrenTab(tab)],
  )
  const handMade = (registry.view(model).ownTabs ?? []).map(
    ({ path }): ModelPageRow => [`${ID}/${path}/`, 'GET', OWN_TABS[path]],
  )
  const common = tabPathsOf(model).flatMap((path): readonly ModelPageRow[] => {
    const row = TABS[path]
    return row ? [[`${ID}/${path}/`, row[0], row[1](routes)]] : []
  })
  const marks = MARKS.filter(({ feature }) => model.has(feature)).map(
    (mark): ModelPageRow => [`${ID}/${mark.path}/`, 'GET POST', markPage(mark)],
  )
  const actions = actionPathsOf(routes, model).map(
    (name): ModelPageRow => [`${ID}/${name}/`, 'GET POST', actionPage(routes, name)],
  )
  if (model.name === SYSTEM.job) actions.push([`${ID}/stop/`, 'GET POST', stopJobPage(routes)])
  if (model.name === SYSTEM.objectChange)
    actions.push([`${ID}/undo/`, 'GET POST', undoPage(routes)])
  if (model.has('customLinks')) actions.push([`${ID}/custom-links/`, 'GET', customLinksPage])
  const main: ModelPageRow = [`${ID}/`, 'GET', objectPage(routes)]
  return [main, ...children, ...handMade, ...common, ...marks, ...actions]
}

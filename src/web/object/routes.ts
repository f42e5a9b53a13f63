import { ID } from '../../api/routes.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import type { ApiRoutes } from '../data/ask-api.ts'
import type { AddedToObjects } from '../frame/object-content.ts'
import type { ModelPageRow } from '../frame/page-endpoint.ts'
import { customLinksPage } from './custom-links.ts'
import { MARKS, markPage } from './marks.ts'
import { partsOf } from './object-contents.ts'
import { tabPage } from './object-frame.ts'
import { objectPage } from './object-page.ts'
import { tabsOf } from './tabs.ts'

/** The pages of an object, except those that change it. `routes`: the API's endpoints. */
export const objectPages = (
  registry: Registry,
  model: Model,
  routes: ApiRoutes,
  added: AddedToObjects,
): readonly ModelPageRow[] => [
  [`${ID}/`, 'GET', objectPage(routes, added)],
  ...tabsOf(registry, model, added).map(
    (tab): ModelPageRow => [`${ID}/${tab.path}/`, tab.methods ?? 'GET', tabPage(routes, added, tab)],
  ),
  ...partsOf(model, added).flatMap(({ pages }) => pages?.(routes, model) ?? []),
  ...MARKS.filter(({ feature }) => model.has(feature)).map(
    (mark): ModelPageRow => [`${ID}/${mark.path}/`, 'GET POST', markPage(mark)],
  ),
  ...(model.has('customLinks') ? [[`${ID}/custom-links/`, 'GET', customLinksPage] satisfies ModelPageRow] : []),
]

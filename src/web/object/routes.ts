import { ID } from '../../api/routes.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import type { ApiRoutes } from '../data/ask-api.ts'
import { isFor } from '../frame/object-content.ts'
import type { ModelPageRow } from '../frame/page-endpoint.ts'
import { customLinksPage } from './custom-links.ts'
import { MARKS, markPage } from './marks.ts'
import { OBJECT_PARTS } from './object-contents.ts'
import { tabPage } from './object-frame.ts'
import { objectPage } from './object-page.ts'
import { tabsOf } from './tabs.ts'

/** The pages of an object, except those that change it. `routes`: the API's endpoints. */
export const objectPages = (registry: Registry, model: Model, routes: ApiRoutes): readonly ModelPageRow[] => [
  [`${ID}/`, 'GET', objectPage(routes)],
  ...tabsOf(registry, model).map(
    (tab): ModelPageRow => [`${ID}/${tab.path}/`, tab.methods ?? 'GET', tabPage(routes, tab)],
  ),
  ...OBJECT_PARTS.filter((part) => isFor(part, model)).flatMap(({ pages }) => pages?.(routes, model) ?? []),
  ...MARKS.filter(({ feature }) => model.has(feature)).map(
    (mark): ModelPageRow => [`${ID}/${mark.path}/`, 'GET POST', markPage(mark)],
  ),
  ...(model.has('customLinks') ? [[`${ID}/custom-links/`, 'GET', customLinksPage] satisfies ModelPageRow] : []),
]

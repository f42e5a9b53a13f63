import { mayAct, rowSecurityOf } from '../../auth/permitted-rows.ts'
import type { HierarchyGroup } from '../../pages/hierarchy.ts'
import { homePage } from '../../pages/home.ts'
import { countRows } from '../../query/count.ts'
import type { RowSecurity } from '../../query/row-security.ts'
import { appTitleOf, pluralTitleOf } from '../../schema/class-name.ts'
import type { Model } from '../../schema/registry.ts'
import { rootPathOf } from '../../schema/root-path.ts'
import type { ApiRequest } from '../api-request.ts'
import type { Endpoint } from '../endpoint.ts'
import { personalPage } from '../sessions/page-answer.ts'
import { SERVICE_VERSION } from '../version.ts'

/** GET /: the start page for browsers. */
export const home: Endpoint = {
  name: 'Home',
  description: 'The start page, with the number of objects.',
  isOpen: true,
  negotiates: true,
  methods: {
    GET: async (request) => {
      const { actor, csrfToken, service, base } = request
      const body = homePage({
        basePath: service.settings.basePath,
        base,
        version: SERVICE_VERSION,
        viewer: actor.kind === 'user' ? { username: actor.username, csrfToken } : undefined,
        totals: await totalsFor(request),
      })
      return personalPage(200, body)
    },
  },
}

/** Number of objects of each model that the viewer may see; models without objects are left out. */
async function totalsFor(request: ApiRequest): Promise<readonly HierarchyGroup[]> {
  const { service, actor } = request
  const { registry, settings } = service
  const seen = [...registry.models.values()].filter(
    (model) =>
      model.path !== '' && model.has('changeLogging') && mayAct(actor, 'view', model, settings),
  )
  const security = rowSecurityOf(actor, registry, settings)
  const entries = await Promise.all(seen.map((model) => totalOf(request, model, security)))
  const groups = Map.groupBy(
    entries.filter(({ count }) => count > 0),
    ({ app }) => app,
  )
  return [...groups].map(([app, found]) => ({
    label: app,
    path: `${settings.basePath}/api/${found[0]?.root}/`,
    entries: found.sort((a, b) => (a.label < b.label ? -1 : 1)),
  }))
}

async function totalOf({ service }: ApiRequest, model: Model, security: RowSecurity) {
  return {
    app: appTitleOf(model),
    root: rootPathOf(model),
    label: pluralTitleOf(model),
    path: `${service.settings.basePath}/api/${model.path}/`,
    // Counts of whole tables are cached until the table changes.
    count: await countRows(service, model, { security }),
  }
}

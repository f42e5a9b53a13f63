import { type HierarchyGroup, hierarchy } from '../../pages/hierarchy.ts'
import type { Content } from '../../pages/html.ts'
import { appTitleOf, pluralTitleOf } from '../../schema/class-name.ts'
import { isJsonObject, type Json } from '../../schema/json.ts'
import type { Registry } from '../../schema/registry.ts'
import type { ApiRequest } from '../api-request.ts'
import { endpointsOf } from '../root.ts'
import { wordsOf } from './words.ts'

/** What lies below the root or an app, app by app; undefined for any other endpoint. */
export async function hierarchyOf(
  { service, url }: ApiRequest,
  document: Json | undefined,
): Promise<Content> {
  const { registry, settings } = service
  const path = url.pathname.slice(settings.basePath.length)
  const [, , app, ...rest] = path.split('/')
  if (rest.length > 1 || !isJsonObject(document)) return undefined
  const endpoints = endpointsOf(registry)
  const apps = app ? [app] : [...endpoints.keys()].sort()
  if (app && !endpoints.has(app)) return undefined
  return hierarchy(apps.map((each) => groupOf(registry, settings.basePath, each, endpoints)))
}

function groupOf(
  registry: Registry,
  basePath: string,
  app: string,
  endpoints: ReturnType<typeof endpointsOf>,
): HierarchyGroup {
  const models = new Map([...registry.models.values()].map((model) => [model.path, model]))
  const first = [...registry.models.values()].find((model) => model.path.startsWith(`${app}/`))
  return {
    label: first ? appTitleOf(first) : wordsOf(app),
    path: `${basePath}/api/${app}/`,
    entries: (endpoints.get(app) ?? [])
      .map((name) => {
        const model = models.get(`${app}/${name}`)
        const label = model ? pluralTitleOf(model) : wordsOf(name)
        return { label, path: `${basePath}/api/${app}/${name}/` }
      })
      .sort((a, b) => (a.label < b.label ? -1 : 1)),
  }
}

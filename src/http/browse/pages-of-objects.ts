import type { Model, Registry } from '../../schema/registry.ts'
import type { Endpoint } from '../endpoint.ts'
import { ID } from '../routes.ts'

/** Endpoints at the paths of `display_url`, by pattern: they redirect to the page of the same object below /api/. */
export function pagesOfObjects(registry: Registry): ReadonlyMap<string, Endpoint> {
  const pages = new Map<string, Endpoint>()
  for (const model of registry.models.values()) {
    const page = model.definition.page ?? model.path
    if (model.path === '' || page === false) continue
    pages.set(
      `/${page}/${ID}/`,
      redirection(model, ({ parameters }) => `${parameters[0]}/`),
    )
    pages.set(
      `/${page}/`,
      redirection(model, () => ''),
    )
  }
  return pages
}

type Rest = (request: { readonly parameters: readonly string[] }) => string

const redirection = ({ path }: Model, rest: Rest): Endpoint => ({
  name: 'Page',
  description: 'Redirects to the same object below /api/.',
  isPublic: true,
  negotiates: true,
  methods: {
    GET: async (request) => {
      const { basePath } = request.service.settings
      const location = `${basePath}/api/${path}/${rest(request)}${request.url.search}`
      return { status: 302, headers: { Location: location } }
    },
  },
})

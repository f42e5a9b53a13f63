import { oncePer } from './once-per.ts'
import type { Model, Registry } from './registry.ts'

/** Path of the model's list page below the base path, with slashes; undefined for models without a collection. */
export function pagePathOf({ path, definition }: Model): string | undefined {
  if (path === '') return undefined
  // Models without display_url in responses still have a page, at the path of their collection.
  return `/${typeof definition.page === 'string' ? definition.page : path}/`
}

/** The model of a URL of the API: `…/api/dcim/sites/1/`; undefined for other addresses. */
export function modelOfUrl(registry: Registry, url: string): Model | undefined {
  const path = /\/api\/(.+)\/\d+\/$/.exec(url)?.[1]
  return path === undefined ? undefined : modelsByPath(registry).get(path)
}

const modelsByPath = oncePer(
  ({ models }: Registry): ReadonlyMap<string, Model> =>
    new Map([...models.values()].map((model) => [model.path, model])),
)

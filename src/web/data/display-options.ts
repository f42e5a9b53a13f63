import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import type { Json } from '../../schema/json.ts'
import { modelOfUrl, pagePathOf } from '../../schema/page-path.ts'
import type { Registry } from '../../schema/registry.ts'
import { shownTitle } from '../components/model-title.ts'
import type { DisplayOptions } from '../components/value.ts'
import { type Contexts, surroundingsOf } from './object-names.ts'

/** Paths of the pages, and contexts, of the objects to which these values refer. */
export async function displayOptionsOf(request: ApiRequest, values: Json): Promise<DisplayOptions> {
  const { contexts, colors } = await surroundingsOf(request, values)
  return { ...displayOptions(request, contexts), colors }
}

/** Paths of objects' pages, unless the sender may view no object of their model, and these contexts. */
export function displayOptions({ actor, service }: ApiRequest, contexts: Contexts): DisplayOptions {
  const { registry, settings } = service
  return {
    basePath: settings.basePath,
    pageOf: (url) => {
      const model = modelOfUrl(registry, url)
      return model && mayAct(actor, 'view', model, settings) ? pageOfObject(registry, url) : undefined
    },
    modelTitle: (name) => {
      const model = registry.models.get(name)
      return model && shownTitle(model)
    },
    contexts,
  }
}

/** Path of the page of the object at this URL of the API, below the base path. */
export function pageOfObject(registry: Registry, url: string): string | undefined {
  const model = modelOfUrl(registry, url)
  const page = model && pagePathOf(model)
  return page === undefined ? undefined : `${page}${/(\d+)\/$/.exec(url)?.[1]}/`
}

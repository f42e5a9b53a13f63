import type { ApiRequest } from '../../api/api-request.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import type { Content } from '../components/html.ts'
import { childTables } from './child-tables.ts'
import { listsOfChildren } from './children.ts'
import { countLists, type ListCounts } from './count-lists.ts'
import { imagePanel, listOfImages } from './image-panel.ts'
import { objectOverview } from './overview.ts'
import { relatedLists } from './related-objects.ts'
import { relatedPanel } from './related-panel.ts'
import { listsOfTabs, permittedTabs } from './tabs.ts'

/** The parts of an object's page that list other objects. */
interface ListedObjects {
  readonly counts: ListCounts
  readonly related: Content
  readonly tables: readonly Content[]
  readonly overview: Content
  readonly images: Content
}

/** Objects that belong to an object, and those that refer to it. All are counted in one statement; then those that there are, are read. */
export async function listedObjects(
  request: ApiRequest,
  model: Model,
  object: JsonObject,
): Promise<ListedObjects> {
  const { registry } = request.service
  const view = registry.view(model)
  const listedImages = listOfImages(request, model, object)
  const related = relatedLists(request, model, object)
  const counts = await countLists(request, [
    ...related,
    ...listsOfTabs(permittedTabs(request, model, object)),
    ...listsOfChildren(registry, [...(view.tables ?? []), ...(view.overview ?? [])], object),
    ...(listedImages ? [listedImages] : []),
  ])
  const [tables, overview, images] = await Promise.all([
    childTables(request, model, object, counts),
    objectOverview(request, model, object, counts),
    imagePanel(request, model, object, counts),
  ])
  const counted = related.map((list) => ({ ...list, count: counts(list) }))
  return {
    ...{ counts, tables, overview, images },
    related: relatedPanel(counted.filter(({ count }) => count > 0)),
  }
}

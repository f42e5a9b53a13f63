import type { ApiRequest } from '../../api/api-request.ts'
import type { JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { type Content, html } from '../components/html.ts'
import { panel } from '../components/panel.ts'
import { readList } from '../frame/inner-request.ts'
import { translate } from '../texts/translate.ts'
import { listByRelation } from './children.ts'
import type { FilteredList, ListCounts } from './count-lists.ts'

/** Images that the page of an object shows itself; the tab has all. */
const SHOWN = 3

/** The list of an object's images. */
export const imagesOf = listByRelation(SYSTEM.imageAttachment, 'parent')

/** The list of an object's images; undefined for models that have none. */
export function listOfImages(
  { service: { registry } }: ApiRequest,
  model: Model,
  object: JsonObject,
): FilteredList | undefined {
  return model.has('imageAttachments') ? imagesOf(registry, model, object) : undefined
}

/** The first images of an object, small, each a link to the tab; nothing without images. */
export async function imagePanel(
  request: ApiRequest,
  model: Model,
  object: JsonObject,
  counts: ListCounts,
): Promise<Content> {
  const { settings } = request.service
  const list = listOfImages(request, model, object)
  if (!list || counts(list) === 0) return undefined
  const query = new URLSearchParams(list.query)
  query.set('limit', String(SHOWN))
  const { objects } = await readList(request, list.model, query, counts(list))
  const tab = `${settings.basePath}${pagePathOf(model)}${object.id}/image-attachments/`
  return panel(
    translate('Images'),
    html`<div class="thumbnails">${objects.map(
      (image) =>
        html`<a href="${tab}"><img src="${imagePath(request, image.image)}" alt="${String(image.display)}" loading="lazy"></a>`,
    )}</div>`,
  )
}

/** The path of a file, of whose address pages need no host. */
export const imagePath = ({ base, service }: ApiRequest, address: unknown): string =>
  `${service.settings.basePath}${String(address).slice(base.length)}`

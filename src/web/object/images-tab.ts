import type { ApiRequest } from '../../api/api-request.ts'
import type { HttpResponse } from '../../api/response.ts'
import { create } from '../../api/verbs/create.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { panel } from '../components/panel.ts'
import type { ListCounts } from '../data/count-lists.ts'
import { sending } from '../data/inner-request.ts'
import { readList } from '../data/page-objects.ts'
import type { ObjectTab, PageObject, RequestedObject, TabContent } from '../frame/object-content.ts'
import { type Content, html } from '../html.ts'
import { listByRelation } from '../object-parts/children.ts'
import { translate } from '../texts/translate.ts'
import { filePath, filesTab, uploadForm } from './file-list.ts'
import { listWindow } from './list-window.ts'

/** The list of an object's images. */
export const imagesOf = listByRelation(SYSTEM.imageAttachment, 'parent')

/** The images of the object, and a form for another one. */
export const imagesTab: ObjectTab = {
  models: (model) => model.has('imageAttachments'),
  path: 'image-attachments',
  label: () => translate('Images'),
  methods: 'GET POST',
  list: imagesOf,
  isCounted: true,
  load: imagesContent,
}

async function imagesContent({ request, model, object }: PageObject): Promise<TabContent | HttpResponse> {
  const { service } = request
  const { model: images, query } = imagesOf(service.registry, model, object)
  const page = `${service.settings.basePath}${pagePathOf(model)}${object.id}/image-attachments/`
  return await filesTab(request, page, {
    effect: 'image',
    store: async ({ text, files }) => {
      const body = { object_type: model.name, object_id: object.id, image: files('image').at(-1), name: text('name') }
      await create(sending(request, 'POST', body), images)
    },
    content: (refusal) => gallery(request, images, query, refusal),
  })
}

async function gallery(
  request: ApiRequest,
  images: Model,
  query: URLSearchParams,
  refusal: string | undefined,
): Promise<Content> {
  const { service, actor } = request
  const { objects, extent } = await listWindow(request, query, (query) => readList(request, images, { query }))
  const list = `${service.settings.basePath}${pagePathOf(images)}`
  const shown =
    objects.length === 0
      ? html`<p class="notice">${translate('There are no images.')}</p>`
      : html`${extent}<ul class="images">${objects.map(
          (image) =>
            html`<li class="card"><a href="${filePath(request, image.image)}"><img src="${filePath(request, image.image)}" alt="${String(image.display)}" loading="lazy"></a><p><a href="${list}${Number(image.id)}/"><bdi>${String(image.display)}</bdi></a></p>${image.description !== '' && html`<p class="muted" dir="auto">${String(image.description)}</p>`}</li>`,
        )}</ul>`
  const form = uploadForm({
    ...{ request, refusal, field: 'image', accept: 'image/*' },
    ...{ title: translate('Add an image'), button: translate('Add image') },
    fields: html`<label>${translate('Name')} <input type="text" name="name" maxlength="50"></label>`,
  })
  return html`${shown}${mayAct(actor, 'add', images, service.settings) && form}`
}

/** Maximum number of images that an object's main page shows; the tab has all of them. */
const SHOWN = 3

/** The first images of an object as thumbnails, each a link to the tab; nothing without images. */
export async function imagePanel({ request, model, object }: RequestedObject, counts: ListCounts): Promise<Content> {
  const { registry, settings } = request.service
  const list = imagesOf(registry, model, object)
  const count = counts(list) ?? 0
  if (!model.has('imageAttachments') || count === 0) return undefined
  const query = new URLSearchParams(list.query)
  query.set('limit', String(SHOWN))
  const { objects } = await readList(request, list.model, { query, count })
  const tab = `${settings.basePath}${pagePathOf(model)}${object.id}/image-attachments/`
  return panel(
    translate('Images'),
    html`<div class="thumbnails">${objects.map(
      (image) =>
        html`<a href="${tab}"><img src="${filePath(request, image.image)}" alt="${String(image.display)}" loading="lazy"></a>`,
    )}</div>`,
  )
}

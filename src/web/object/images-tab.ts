import type { ApiRequest } from '../../api/api-request.ts'
import type { HttpResponse } from '../../api/response.ts'
import { create } from '../../api/verbs/create.ts'
import { ApiError } from '../../base/errors.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { csrfField } from '../components/csrf-field.ts'
import { panel } from '../components/panel.ts'
import type { ListCounts } from '../data/count-lists.ts'
import { sending } from '../data/inner-request.ts'
import { readList } from '../data/page-objects.ts'
import type { ObjectTab, PageObject, RequestedObject, TabContent } from '../frame/object-content.ts'
import { sentenceOf } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { withEffect } from '../frame/saved-notice.ts'
import { type Content, html } from '../html.ts'
import { listByRelation } from '../object-parts/children.ts'
import { translate } from '../texts/translate.ts'
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
  const { service, actor } = request
  const { model: images, query } = imagesOf(service.registry, model, object)
  const page = `${service.settings.basePath}${pagePathOf(model)}${object.id}/image-attachments/`
  let refusal: string | undefined
  if (request.method === 'POST') {
    try {
      const form = await request.body.form()
      const [image, name] = [form?.get('image')?.at(-1), form?.get('name')?.at(-1)]
      const body = { object_type: model.name, object_id: object.id, image, name: name ?? '' }
      await create(sending(request, 'POST', body), images)
      return seeOther(withEffect(page, 'image', request))
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason.kind !== 'invalid') throw error
      refusal = sentenceOf(error)
    }
  }
  const { objects, extent } = await listWindow(request, query, (query) => readList(request, images, { query }))
  const list = `${service.settings.basePath}${pagePathOf(images)}`
  const gallery =
    objects.length === 0
      ? html`<p class="notice">${translate('There are no images.')}</p>`
      : html`${extent}<ul class="images">${objects.map(
          (image) =>
            html`<li class="card"><a href="${imagePath(request, image.image)}"><img src="${imagePath(request, image.image)}" alt="${String(image.display)}" loading="lazy"></a><p><a href="${list}${Number(image.id)}/"><bdi>${String(image.display)}</bdi></a></p>${image.description !== '' && html`<p class="muted" dir="auto">${String(image.description)}</p>`}</li>`,
        )}</ul>`
  const mayAdd = mayAct(actor, 'add', images, service.settings)
  return {
    status: refusal === undefined ? 200 : 400,
    content: html`${gallery}${mayAdd && uploadForm(request, refusal)}`,
  }
}

const uploadForm = (
  { csrfToken, url }: ApiRequest,
  refusal: string | undefined,
): Content => html`<form class="card entry" method="post" enctype="multipart/form-data" action="${url.pathname}">
${csrfField(csrfToken)}
<h2>${translate('Add an image')}</h2>
${refusal !== undefined && html`<p class="notice bad" role="alert">${translate('Not saved.')} ${refusal}</p>`}
<label>${translate('File')} <input type="file" name="image" accept="image/*" required></label>
<label>${translate('Name')} <input type="text" name="name" maxlength="50"></label>
<div class="buttons"><button>${translate('Add image')}</button></div>
</form>`

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
        html`<a href="${tab}"><img src="${imagePath(request, image.image)}" alt="${String(image.display)}" loading="lazy"></a>`,
    )}</div>`,
  )
}

/** The path of a file; pages need no host in its URL. */
const imagePath = ({ base, service }: ApiRequest, address: unknown): string =>
  `${service.settings.basePath}${String(address).slice(base.length)}`

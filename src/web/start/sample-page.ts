import type { ApiRequest } from '../../api/api-request.ts'
import { localPath } from '../../api/sessions/local-path.ts'
import { requireUser } from '../../identity/require-user.ts'
import type { MenuSection } from '../../schema/menu.ts'
import type { Model } from '../../schema/registry.ts'
import { ImportRefused } from '../../transfer/counterparts/plan.ts'
import type { SampleObjects } from '../../transfer/demo/sample-objects.ts'
import type { RowIds } from '../../write/remove/find-dependents.ts'
import { runWrite } from '../../write/run.ts'
import { writeRequestOf } from '../../write/write-request.ts'
import { requireSuperuser } from '../administration/require-superuser.ts'
import { csrfField } from '../components/csrf-field.ts'
import { shownNoun, shownPluralNoun } from '../components/model-title.ts'
import { productPicture } from '../components/product-picture.ts'
import { linkToObject } from '../components/value.ts'
import { displayOptionsOf } from '../data/display-options.ts'
import { readSelected } from '../data/page-objects.ts'
import { textIn } from '../forms/form-texts.ts'
import { START } from '../frame/header.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { withEffect } from '../frame/saved-notice.ts'
import { type Content, type Html, html } from '../html.ts'
import { numeral, translate, translateLabel } from '../texts/translate.ts'

/** Loaded when it is needed: the sample is the largest text of the program. */
const sample = async () => ({
  ...(await import('../../transfer/demo/load-demo.ts')),
  ...(await import('../../transfer/demo/sample-objects.ts')),
})

/** GET and POST /start/sample/: loads the sample network, and removes what it has created. */
export async function samplePage(request: ApiRequest, menu: readonly MenuSection[]): Promise<PageResponse> {
  requireSuperuser(request)
  if (request.method !== 'POST') return await statePage(request, menu, undefined)
  const { service, url } = request
  const form = await request.body.form()
  const { loadSample, removeSample } = await sample()
  const address = `${service.settings.basePath}${START.sample}`
  if (textIn(form, 'change') === 'remove') {
    await runWrite(service, writeRequestOf(request, requireUser(request)), removeSample)
    return seeOther(withEffect(address, 'sample-removed'))
  }
  try {
    await loadSample(service)
  } catch (error) {
    if (!(error instanceof ImportRefused)) throw error
    return await statePage(request, menu, error.message)
  }
  const next = textIn(form, 'next')
  return seeOther(withEffect(next === '' ? address : localPath(next, url, service.settings.basePath), 'sample-loaded'))
}

/** The button that loads the sample network, and leads back to the page at `next`. */
export const loadSampleForm = ({ service, csrfToken }: ApiRequest, next = ''): Html =>
  html`<form method="post" action="${service.settings.basePath}${START.sample}">${csrfField(csrfToken)}<input type="hidden" name="next" value="${next && `${service.settings.basePath}${next}`}"><button name="change" value="load">${translate('Load the sample network')}</button></form>`

async function statePage(
  request: ApiRequest,
  menu: readonly MenuSection[],
  problem: string | undefined,
): Promise<PageResponse> {
  const { service } = request
  const { sampleOutlook, sampleObjects } = await sample()
  const objects = await runWrite(service, writeRequestOf(request, requireUser(request)), sampleObjects)
  const { created, here } = await sampleOutlook(service)
  const title = translate('Sample network')
  const isLoaded = sizeOf(objects.removable) + sizeOf(objects.staying) > 0
  return {
    title,
    status: problem === undefined ? 200 : 409,
    styles: ['objects.css', 'start.css', 'product-picture.css'],
    breadcrumbs: [
      { label: translate('First steps'), path: START.steps },
      { label: title, path: START.sample },
    ],
    body: html`<div class="heading"><h1>${title}</h1></div>
${problem !== undefined && html`<p class="notice bad" role="alert">${problem}</p>`}
<div class="sample-start"><div><p>${translate('The office, the machine hall and the lighthouses of an imagined trust: sites, racks, cabled devices, addresses, circuits, and a branch with a planned station.')}</p>
${isLoaded && (await loadedPart(request, menu, objects))}
${
  created > 0 &&
  html`<section class="card"><h2>${isLoaded ? translate('Complete it') : translate('Load')}</h2>
<p>${translate('{count} object is created.|{count} objects are created.', { count: created })} ${here > 0 && !isLoaded && translate('{count} object that is here already stays as it is.|{count} objects that are here already stay as they are.', { count: here })}</p>
${loadSampleForm(request)}</section>`
}</div>${productPicture()}</div>`,
  }
}

/** What is loaded: where to look at it, and how to remove it. */
async function loadedPart(
  request: ApiRequest,
  menu: readonly MenuSection[],
  { removable, staying }: SampleObjects,
): Promise<Html> {
  const { service, csrfToken } = request
  const { basePath } = service.settings
  const places = [
    ['/dcim/rack-elevations/', translate('The racks')],
    ...drawingsOfDevices(menu),
    ['/ipam/prefixes/', translate('The address space')],
    ['/core/change-requests/', translate('The planned station')],
    [START.tutorial, translate('Tutorial')],
  ] as const
  const count = sizeOf(removable)
  return html`<p class="places">${places.map(([path, label]) => html`<a class="button quiet" href="${basePath}${path}">${label}</a> `)}</p>
<section class="card"><h2>${translate('Remove')}</h2>
${staying.size > 0 && html`<p>${translate('These objects of the sample stay, because people have added something that needs them:')}</p>${await namesOf(request, staying)}`}
${
  count > 0
    ? html`<p>${translate('{count} object is deleted: only what the sample has created, with all later changes of it.|{count} objects are deleted: only what the sample has created, with all later changes of them.', { count })}</p>
<form method="post">${csrfField(csrfToken)}<button class="danger" name="change" value="remove">${translate('Remove the sample network')}</button></form>`
    : html`<p>${translate('There is nothing else to remove.')}</p>`
}</section>`
}

/** The pages of the menu that show devices in another form than lists. */
const drawingsOfDevices = (menu: readonly MenuSection[]): readonly (readonly [path: string, label: string])[] =>
  menu
    .flatMap(({ groups }) => groups.flatMap(({ pages = [] }) => pages))
    .filter(({ model }) => model === 'dcim.device')
    .map(({ path, label }) => [path, translateLabel(label)])

const sizeOf = (rows: RowIds): number => [...rows.values()].reduce((sum, ids) => sum + ids.size, 0)

/** Maximum number of objects of each kind that are named. */
const NAMED = 5

async function namesOf(request: ApiRequest, rows: RowIds): Promise<Content> {
  const options = await displayOptionsOf(request, [])
  const lines = await Promise.all(
    [...rows].map(async ([model, ids]) => {
      const selection = { paths: ['id', 'url', 'display'], excludeContext: true }
      const objects = await readSelected(request, model, [...ids].slice(0, NAMED), selection)
      const names = objects.map((object, index) => html`${index > 0 && ', '}${linkToObject(object, options)}`)
      return html`<li>${counted(model, ids.size)}: ${names}${ids.size > NAMED && ' …'}</li>`
    }),
  )
  return html`<ul>${lines}</ul>`
}

const counted = (model: Model, count: number): string =>
  `${numeral(count)} ${count === 1 ? shownNoun(model) : shownPluralNoun(model)}`

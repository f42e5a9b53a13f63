/** Labels of a selection with their preview, and pages at short addresses. */
import { ApiError, type ApiRequest, mayAct, pagePathOf, readerOf, requirePermission } from 'cadastre'
import {
  type Content,
  filtersIn,
  html,
  type ObjectPart,
  type PageResponse,
  packPages,
  shownPlural,
  translate,
  translateLabel,
  trusted,
} from 'cadastre/web'
import { drawLabel, svgOf } from './layout.ts'
import { charactersIn, designOf, type FilledLabel, filledLabels, TEMPLATE, type Template } from './render.ts'
import { objectAt } from './short-address.ts'

const PRINT = '/plugins/labels/print/'

/** Labels whose preview a page shows, and their characters; all of them are in the file. */
const SHOWN = 60
const SHOWN_CHARACTERS = 20_000

/** Parameters of the page that are no filters of the objects. */
const OWN = ['type', 'template']

const notFound = () => new ApiError({ kind: 'notFound', detail: 'Not found.' })

async function printPage(request: ApiRequest): Promise<PageResponse> {
  const { service, actor, search } = request
  const templates = service.registry.model(TEMPLATE)
  requirePermission(actor, 'view', templates, service.settings)
  const type = search.get('type') ?? ''
  const model = service.registry.models.get(type)
  if (!model || model.path === '') throw notFound()
  requirePermission(actor, 'view', model, service.settings)
  const filters = filtersIn(search)
  for (const name of OWN) filters.delete(name)
  const offered = await readerOf(request).objects(TEMPLATE, new URLSearchParams({ object_type: type }))
  const chosen = (offered.find(({ id }) => String(id) === search.get('template')) ?? offered[0]) as Template | undefined
  const listed = `${service.settings.basePath}${pagePathOf(templates)}`
  return {
    title: translate('Labels'),
    styles: ['objects.css', 'labels.css'],
    breadcrumbs: [{ label: shownPlural(model), path: pagePathOf(model) ?? '' }],
    body: html`<h1>${translate('Labels')}</h1>${
      chosen
        ? await previews(request, offered as readonly Template[], chosen, filters)
        : html`<p class="notice">${translate('There is no label template for these objects yet.')}</p>`
    }${
      mayAct(actor, 'add', templates, service.settings) &&
      html`<p><a class="button quiet" href="${listed}add/?object_type=${type}">${translate('Add a label template')}</a></p>`
    }`,
  }
}

async function previews(
  request: ApiRequest,
  templates: readonly Template[],
  chosen: Template,
  filters: URLSearchParams,
): Promise<Content> {
  const { basePath } = request.service.settings
  const labels = await filledLabels(request, chosen, filters)
  const shown = shownOf(labels)
  const path = `${basePath}/api/plugins/labels/label-templates/${chosen.id}/pdf/`
  const hidden = (parameters: Iterable<readonly [string, string]>) =>
    [...parameters].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
  return html`${
    templates.length > 1 &&
    html`<form class="label-choice" method="get" action="${basePath}${PRINT}">${hidden([['type', chosen.object_type], ...filters])}
<label>${translate('Template')} <select name="template">${templates.map(
      ({ id, name }) =>
        html`<option value="${String(id)}"${id === chosen.id && html` selected`}>${String(name)}</option>`,
    )}</select></label> <button class="quiet">${translate('Choose')}</button></form>`
  }<form class="labels" method="get" action="${path}">
<p class="label-choice"><button>${translate('PDF of {count} label|PDF of {count} labels', { count: labels.length })}</button>
<label>${translate('Copies')} <input type="number" name="copies" min="1" max="100" value="1"></label>${
    chosen.medium === 'sheet' &&
    html` <label>${translate('Used places of the first sheet')} <input type="number" name="skip" min="0" max="1000" value="0"></label>`
  }</p>
${shown.length < labels.length ? hidden(filters) : undefined}
<div class="label-list">${shown.map((label, index) => preview(chosen, label, shown.length === labels.length, labels[index - 1]?.id === label.id))}</div>
</form>`
}

/** The first labels, at least one. */
function shownOf(labels: readonly FilledLabel[]): readonly FilledLabel[] {
  let characters = 0
  const end = labels.findIndex(({ content }, index) => {
    characters += charactersIn(content)
    return index === SHOWN || (index > 0 && characters > SHOWN_CHARACTERS)
  })
  return end < 0 ? labels : labels.slice(0, end)
}

/** A label in its true size; the second one of a cable is chosen with the first. */
function preview(
  template: Template,
  { id, name, content }: FilledLabel,
  isChoice: boolean,
  isSecond: boolean,
): Content {
  const design = designOf(template)
  const svg = trusted(svgOf(design, drawLabel(design, content)))
  const title = content.lines.join(' ')
  return html`<label title="${title}">${svg}<span>${
    isChoice && !isSecond && html`<input type="checkbox" name="id" value="${String(id)}" checked> `
  }<bdi>${name}</bdi></span></label>`
}

/** The page of the object to which a short address leads. */
async function shortPage(request: ApiRequest): Promise<PageResponse> {
  const target = objectAt(request.parameters[0] ?? '')
  const model = target && request.service.registry.models.get(target.type)
  if (!model || model.path === '' || model.definition.page === false) throw notFound()
  const Location = `${request.service.settings.basePath}${pagePathOf(model)}${target.id}/`
  return { status: 302, headers: { Location, 'Cache-Control': 'no-store' } }
}

const mayPrint = ({ actor, service }: ApiRequest): boolean =>
  mayAct(actor, 'view', service.registry.model(TEMPLATE), service.settings)

const link = ({ service }: ApiRequest, type: string, filters: URLSearchParams): Content => {
  const query = new URLSearchParams([['type', type], ...filters])
  return html`<a class="button quiet" href="${service.settings.basePath}${PRINT}?${query.toString()}">${translateLabel('Labels')}</a>`
}

const part: ObjectPart = {
  models: (model) => model.has('journaling') || model.name === 'dcim.cable',
  load: ({ request, model, object }) =>
    mayPrint(request) ? { actions: link(request, model.name, new URLSearchParams({ id: String(object.id) })) } : {},
}

export default packPages({
  pages: [
    [PRINT, 'GET', printPage],
    ['/q/*', 'GET', shortPage],
  ],
  parts: [part],
  listLinks: [
    (request, model) =>
      (model.has('journaling') || model.name === 'dcim.cable') &&
      mayPrint(request) &&
      link(request, model.name, filtersIn(request.search)),
  ],
})

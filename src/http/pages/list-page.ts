import { mayAct } from '../../auth/permitted-rows.ts'
import { type Content, html } from '../../pages/html.ts'
import { pager } from '../../pages/pager.ts'
import { parseWindow } from '../../query/window.ts'
import { pluralTitleOf, titleOf } from '../../schema/class-name.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import type { ApiRequest } from '../api-request.ts'
import type { HttpResponse } from '../response.ts'
import { objectRows } from './object-rows.ts'
import type { PageFrame } from './page-frame.ts'

/** GET of a model's list: a page of its objects as a table. */
export async function objectListPage(
  frame: PageFrame,
  request: ApiRequest,
  model: Model,
): Promise<HttpResponse> {
  const { service, search } = request
  const { columns } = service.registry.view(model)
  const label = pluralTitleOf(model)
  const { table, objects, count } = await objectRows(request, model, {
    query: search,
    columns,
    isSortable: true,
    label,
  })
  const { offset, limit } = parseWindow(search, service.settings)
  const at = (position: number): string => {
    const query = new URLSearchParams(search)
    query.set('offset', String(position))
    return `?${query}`
  }
  const extent = pager({
    count,
    offset,
    length: objects.length,
    previous: offset > 0 ? at(Math.max(0, offset - (limit ?? 0))) : undefined,
    next: offset + objects.length < count ? at(offset + objects.length) : undefined,
  })
  return await frame(request, {
    title: label,
    model,
    styles: ['objects.css'],
    breadcrumbs: [{ label, path: pagePathOf(model) ?? '/' }],
    body: html`<div class="heading"><h1>${label}</h1>${actionsOf(request, model)}</div>
${extent}${objects.length === 0 ? html`<p class="notice">There are none.</p>` : table}${objects.length > 20 && extent}`,
  })
}

function actionsOf({ actor, service }: ApiRequest, model: Model): Content {
  const { settings } = service
  if (!mayAct(actor, 'add', model, settings)) return undefined
  return html`<div class="actions"><a class="button" href="${settings.basePath}${pagePathOf(model)}add/">Add ${titleOf(model)}</a></div>`
}

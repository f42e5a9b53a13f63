import { pluralTitleOf } from '../../schema/class-name.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { type Content, html } from '../components/html.ts'
import { contextsBeside, ownContexts } from '../components/object-names.ts'
import { linkToObject, valueDisplay } from '../components/value.ts'
import { displayOptions } from '../frame/display-options.ts'
import { readList } from '../frame/inner-request.ts'
import { numeral, sentenceCase } from '../texts/translate.ts'
import { addLink } from './add-child.ts'
import { listOfChildren } from './children.ts'
import type { ListCounts } from './count-lists.ts'
import type { RequestedObject } from './object-content.ts'

/** Maximum number of objects of each kind that are named. */
const NAMED = 6

/** The first objects of each kind that belongs to this one, with their number; kinds without objects are left out. */
export async function objectOverview(page: RequestedObject, counts: ListCounts): Promise<Content> {
  const { request, model, object } = page
  const { registry, settings } = request.service
  const { overview = [] } = registry.view(model)
  const cards = await Promise.all(
    overview.map(async (children): Promise<Content> => {
      const list = listOfChildren(registry, children, object)
      const count = counts(list)
      if (count === 0) return undefined
      const status = list.model.fields.get('status')
      // They include their contexts, so these need no separate read.
      const { context = [] } = registry.view(list.model)
      const fields = ['id', 'url', 'display', ...(status ? ['status'] : []), ...context]
      const query = new URLSearchParams(list.query)
      query.set('limit', String(NAMED))
      query.set('fields', fields.join(','))
      const { objects } = await readList(request, list.model, query, count)
      const contexts = contextsBeside(registry, ownContexts(request, list.model, objects), [object, ...objects])
      const around = displayOptions(request, contexts)
      const label = sentenceCase(children.label ?? pluralTitleOf(list.model))
      const href = `${settings.basePath}${pagePathOf(list.model)}?${list.query}`
      const items = objects.map(
        (each) =>
          html`<li><span>${linkToObject(each, around)}</span>${status && valueDisplay(status, each.status, around)}</li>`,
      )
      return html`<section class="card"><h2><a href="${href}">${label}</a> <span class="count">${numeral(count)}</span>${addLink(page, list)}</h2><ul class="plain">${items}</ul></section>`
    }),
  )
  return cards.some(Boolean) && html`<div class="overview">${cards}</div>`
}

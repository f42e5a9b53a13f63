import { mayAct, rowSecurityOf } from '../../identity/permitted-rows.ts'
import { cachedColumn } from '../../read/query/cached-column.ts'
import { compileFilters } from '../../read/query/compile-filters.ts'
import { filteredTable } from '../../read/query/filtered-table.ts'
import { compileOrder } from '../../read/query/order.ts'
import { applyRowSecurity } from '../../read/query/row-security.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import type { ChildrenTab } from '../../schema/view.ts'
import { empty, sql } from '../../sql/fragment.ts'
import { shownPlural } from '../components/model-title.ts'
import { shownName } from '../components/shown-name.ts'
import { visibleObjects } from '../data/page-objects.ts'
import type { ObjectPart, RequestedObject } from '../frame/object-content.ts'
import type { Crumb } from '../frame/page.ts'
import { type Content, html } from '../html.ts'
import { componentModelsOf } from '../lists/bulk-actions.ts'
import { sentenceCase, translate } from '../texts/translate.ts'

/** The parent of an object, and the tab of its pages that lists the object. */
interface Owner {
  readonly relation: string
  readonly model: Model
  readonly object: JsonObject
  readonly tab: ChildrenTab
}

/**
 * The parent of the object: the device of an interface; undefined if no tab lists it, or the sender may not view such
 * parents.
 */
function ownerOf({ request, model, object }: RequestedObject): Owner | undefined {
  const { registry, settings } = request.service
  const [relation = ''] = registry.view(model).context ?? []
  const field = model.fields.get(relation)
  const owner = object[relation]
  if (field?.kind !== 'foreignKey' || !isJsonObject(owner)) return undefined
  const ownerModel = registry.model(field.to)
  const tab = registry.view(ownerModel).tabs?.find((tab) => tab.model === model.name)
  return tab && mayAct(request.actor, 'view', ownerModel, settings)
    ? { relation, model: ownerModel, object: owner, tab }
    : undefined
}

/** Relations to the places of an object, the outermost first. */
const PLACES = ['site', 'location', 'rack'] as const

/** The places of an object as breadcrumbs. */
function placesOf({ request }: RequestedObject, model: Model, object: JsonObject): readonly Crumb[] {
  const { registry, settings } = request.service
  return PLACES.flatMap((name): readonly Crumb[] => {
    const field = model.fields.get(name)
    const place = object[name]
    if (field?.kind !== 'foreignKey' || !isJsonObject(place)) return []
    const to = registry.model(field.to)
    if (!mayAct(request.actor, 'view', to, settings)) return []
    return [{ label: String(place.display), path: `${pagePathOf(to)}${Number(place.id)}/` }]
  })
}

/**
 * The breadcrumbs of the object: the list of its model and its places, or those of its parent and the tab that lists
 * it.
 */
export async function trailTo(page: RequestedObject): Promise<readonly Crumb[]> {
  const { request, model, object } = page
  const list = pagePathOf(model) ?? '/'
  const step = { label: shownName(request.service.registry, object), path: `${list}${object.id}/` }
  const owner = ownerOf(page)
  if (!owner) return [{ label: shownPlural(model), path: list }, ...placesOf(page, model, object), step]
  const owners = pagePathOf(owner.model) ?? '/'
  const id = Number(owner.object.id)
  const places = PLACES.filter((name) => owner.model.answer.includes(name))
  const placed = places.length > 0 && (await visibleObjects(page.request, owner.model, [id], ['id', ...places])).get(id)
  const address = `${owners}${id}/`
  const { label, path } = owner.tab
  return [
    { label: shownPlural(owner.model), path: owners },
    ...(placed ? placesOf(page, owner.model, placed) : []),
    { label: String(owner.object.display), path: address },
    {
      label: label === undefined ? shownPlural(model) : sentenceCase(label),
      path: `${address}${path}/`,
    },
    step,
  ]
}

/** Links from a component to the previous and next ones. */
export const neighboursPart: ObjectPart = {
  models: () => true,
  load: async (page) => {
    const { request, model } = page
    const { registry, settings } = request.service
    const owner = ownerOf(page)
    const isComponent = owner && componentModelsOf(registry, owner.model).some((component) => component.model === model)
    if (!owner || !isComponent) return {}
    const [before, after] = await neighbourIds(page, owner)
    const ids = [before ?? [], after ?? []].flat()
    const objects = await visibleObjects(request, model, ids, ['display'])
    const list = `${settings.basePath}${pagePathOf(model)}`
    const way = (
      id: number | undefined,
      rel: string,
      arrow: string,
      text: 'Previous: {name}' | 'Next: {name}',
    ): Content => {
      const to = id === undefined ? undefined : objects.get(id)
      const label = translate(text, { name: String(to?.display) })
      return (
        to &&
        html`<a class="button quiet" rel="${rel}" href="${list}${id}/" aria-label="${label}" title="${label}">${arrow}</a>`
      )
    }
    return { actions: html`${way(before, 'prev', '←', 'Previous: {name}')}${way(after, 'next', '→', 'Next: {name}')}` }
  },
}

/** Ids of the visible components before and after this one, in the order of their list. */
async function neighbourIds(
  { request, model, object }: RequestedObject,
  owner: Owner,
): Promise<readonly (number | undefined)[]> {
  const { actor, service } = request
  const security = rowSecurityOf(actor, service.registry, service.settings)
  const query = new URLSearchParams({ [`${owner.relation}_id`]: String(owner.object.id) })
  const where = await compileFilters(service, model, query, security.visibleRows)
  const { joins, terms } = compileOrder(service, model, undefined, security.visibleRows, { constant: owner.relation })
  const statement = sql`
    select unnest(array[n.before, n.after]) from (
      select t.id, lag(t.id) over list as before, lead(t.id) over list as after
      from ${filteredTable(model, where)} t ${joins}${where ? sql` where ${where}` : empty}
      window list as (order by ${terms})
    ) n where n.id = ${Number(object.id)}`
  const ids = await cachedColumn(service, applyRowSecurity(security, statement))
  return ids.map((id) => (id === null ? undefined : Number(id)))
}

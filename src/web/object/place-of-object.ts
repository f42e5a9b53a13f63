import { mayAct } from '../../identity/permitted-rows.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import type { ChildrenTab } from '../../schema/view.ts'
import { componentModelsOf } from '../bulk/bulk-actions.ts'
import { type Content, html } from '../components/html.ts'
import { shownPlural } from '../components/model-title.ts'
import { readList } from '../frame/inner-request.ts'
import type { Crumb } from '../frame/page.ts'
import { translate, translateLabel } from '../texts/translate.ts'
import type { ObjectPart, RequestedObject } from './object-content.ts'

/** The object that another one belongs to, and the tab of its pages that lists that one. */
interface Owner {
  readonly relation: string
  readonly model: Model
  readonly object: JsonObject
  readonly tab: ChildrenTab
}

/** The owner of the object: the device of an interface; undefined if no tab lists it, or the sender may not view such owners. */
function ownerOf({ request, model, object }: RequestedObject): Owner | undefined {
  const { registry, settings } = request.service
  const [relation = ''] = registry.view(model).context ?? []
  const field = model.fields.get(relation)
  const owner = object[relation]
  if (field?.kind !== 'foreignKey' || !isJsonObject(owner)) return undefined
  const ownerModel = registry.model(field.to)
  const tab = registry.view(ownerModel).tabs?.find((each) => each.model === model.name)
  return tab && mayAct(request.actor, 'view', ownerModel, settings)
    ? { relation, model: ownerModel, object: owner, tab }
    : undefined
}

/** The way to the object: the list of its model, or its owner and the tab that lists it. */
export function trailTo(page: RequestedObject): readonly Crumb[] {
  const { model, object } = page
  const list = pagePathOf(model) ?? '/'
  const own = { label: String(object.display), path: `${list}${object.id}/` }
  const owner = ownerOf(page)
  if (!owner) return [{ label: shownPlural(model), path: list }, own]
  const owners = pagePathOf(owner.model) ?? '/'
  const address = `${owners}${owner.object.id}/`
  const { label, path } = owner.tab
  return [
    { label: shownPlural(owner.model), path: owners },
    { label: String(owner.object.display), path: address },
    {
      label: label === undefined ? shownPlural(model) : translateLabel(label),
      path: `${address}${path}/`,
    },
    own,
  ]
}

/** Components among which the one before and the one after are looked for. */
const MOST = 1000

/** Links from a component to those before and after it. */
export const neighboursPart: ObjectPart = {
  models: () => true,
  load: async (page) => {
    const { request, model, object } = page
    const { registry, settings } = request.service
    const owner = ownerOf(page)
    const isComponent = owner && componentModelsOf(registry, owner.model).some((each) => each.model === model)
    if (!owner || !isComponent) return {}
    const query = new URLSearchParams({
      [`${owner.relation}_id`]: String(owner.object.id),
      fields: 'id,display',
      limit: String(MOST),
    })
    const { objects } = await readList(request, model, query)
    const at = objects.findIndex(({ id }) => id === object.id)
    const list = `${settings.basePath}${pagePathOf(model)}`
    const way = (to: JsonObject | undefined, rel: string, arrow: string, label: string): Content =>
      to &&
      html`<a class="button quiet" rel="${rel}" href="${list}${Number(to.id)}/" aria-label="${label}" title="${label}">${arrow}</a>`
    const [before, after] = [at > 0 ? objects[at - 1] : undefined, at < 0 ? undefined : objects[at + 1]]
    return {
      actions: html`${way(before, 'prev', '←', translate('Previous: {name}', { name: String(before?.display) }))}${way(after, 'next', '→', translate('Next: {name}', { name: String(after?.display) }))}`,
    }
  },
}

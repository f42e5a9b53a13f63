import type { ApiRequest } from '../../api/api-request.ts'
import { ApiError } from '../../base/errors.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { countedNoun, shownNoun, shownPlural } from '../components/model-title.ts'
import { panel } from '../components/panel.ts'
import { asking } from '../data/inner-request.ts'
import type { ObjectPart } from '../frame/object-content.ts'
import { sentenceOf } from '../frame/page-frame.ts'
import { type Content, html } from '../html.ts'
import { conditionChips } from '../lists/filter-form.ts'
import { objectRows } from '../lists/object-rows.ts'
import { translate } from '../texts/translate.ts'

/** Maximum number of members that are listed. */
const ROWS = 10

/** For each kind of collection: the model of its members, and the filters that find them. */
const COLLECTIONS: Readonly<
  Record<string, (object: JsonObject) => readonly [model: Json | undefined, filters: string]>
> = {
  [SYSTEM.dynamicGroup]: ({ object_type, slug }) => [object_type, `?dynamic_group=${slug}`],
  // An extension has no objects of its own.
  [SYSTEM.customObjectType]: ({ object_type_name, extends: extended }) => [extended ? null : object_type_name, ''],
}

/** The first members of a dynamic group, or the first objects of a custom model, with a link to the list of all. */
export const membersPart: ObjectPart = {
  models: Object.keys(COLLECTIONS),
  load: async ({ request, model: { name }, object }) => {
    const { registry, settings } = request.service
    const [member, filters] = COLLECTIONS[name]?.(object) ?? []
    const model = registry.models.get(String(member))
    if (!model || !mayAct(request.actor, 'view', model, settings)) return {}
    const href = `${settings.basePath}${pagePathOf(model)}${filters}`
    const query = new URLSearchParams(filters)
    const label = shownPlural(model)
    query.set('limit', String(ROWS))
    const { columns } = registry.view(model)
    const group = name === SYSTEM.dynamicGroup ? await conditionsOf(request, model, object) : undefined
    const members = await objectRows(request, model, { query, columns, label }).catch(sentenceOfRefusal)
    const styles = ['inputs.css', 'lists.css'] as const
    if (typeof members === 'string')
      return { left: group, below: panel(label, html`<p class="notice bad">${members}</p>`), styles }
    const all = translate('All {count} {objects}', { count: members.count, objects: countedNoun(model, members.count) })
    return {
      left: group,
      styles,
      below: panel(
        label,
        members.count === 0
          ? html`<p class="muted">${translate('None yet.')} <a href="${href}">${label}</a></p>${name === SYSTEM.customObjectType && mayAct(request.actor, 'add', model, settings) && html`<p><a class="button" href="${href}add/">${translate('Add {model}', { model: shownNoun(model) })}</a></p>`}`
          : html`${members.table}<p><a href="${href}">${all}</a></p>`,
      ),
    }
  },
}

/** The filters of a dynamic group in words, with a link to the list, in which they can be changed and saved anew. */
async function conditionsOf(request: ApiRequest, member: Model, { parameters }: JsonObject): Promise<Content> {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(isJsonObject(parameters) ? parameters : {})) {
    for (const part of [value].flat()) query.append(name, String(part))
  }
  const href = `${request.service.settings.basePath}${pagePathOf(member)}?${query}`
  return panel(
    translate('Conditions'),
    await conditionChips(asking(request, query), member),
    html`<a class="small" href="${href}">${translate('Show in the list')}</a>`,
  )
}

/** Why the filters of the group can no longer be used. */
function sentenceOfRefusal(error: unknown): string {
  if (error instanceof ApiError && error.reason.kind === 'invalid') return sentenceOf(error)
  throw error
}

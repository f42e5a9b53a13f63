import { ApiError } from '../../base/errors.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { shownPlural } from '../components/model-title.ts'
import { panel } from '../components/panel.ts'
import type { ObjectPart } from '../frame/object-content.ts'
import { sentenceOf } from '../frame/page-frame.ts'
import { html } from '../html.ts'
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
    const members = await objectRows(request, model, { query, columns, label }).catch(sentenceOfRefusal)
    if (typeof members === 'string') return { below: panel(label, html`<p class="notice bad">${members}</p>`) }
    const all = translate('All {count} {objects}', { count: members.count, objects: label })
    return {
      below: panel(
        label,
        members.count === 0
          ? html`<p class="muted">${translate('None yet.')} <a href="${href}">${label}</a></p>`
          : html`${members.table}<p><a href="${href}">${all}</a></p>`,
      ),
    }
  },
}

/** Why the filters of the group can no longer be used. */
function sentenceOfRefusal(error: unknown): string {
  if (error instanceof ApiError && error.reason.kind === 'invalid') return sentenceOf(error)
  throw error
}

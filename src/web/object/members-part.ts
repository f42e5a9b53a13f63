import { ApiError } from '../../base/errors.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
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

/** The first members of a dynamic group, with a link to the list of all. */
export const membersPart: ObjectPart = {
  models: [SYSTEM.dynamicGroup],
  load: async ({ request, object }) => {
    const { registry, settings } = request.service
    const model = registry.models.get(String(object.object_type))
    if (!model || !mayAct(request.actor, 'view', model, settings)) return {}
    const query = new URLSearchParams({ dynamic_group: String(object.slug) })
    const href = `${settings.basePath}${pagePathOf(model)}?${query}`
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
          ? html`<p class="muted">${translate('None yet.')}</p>`
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

import type { ApiRequest } from '../../api/api-request.ts'
import { create } from '../../api/verbs/create.ts'
import { remove } from '../../api/verbs/remove.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { requireUser } from '../../identity/require-user.ts'
import { cachedColumn } from '../../read/query/cached-column.ts'
import type { Feature } from '../../schema/model.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { join, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { csrfField } from '../components/csrf-field.ts'
import { type IconName, icon } from '../components/icon.ts'
import { sending } from '../data/inner-request.ts'
import { readOne } from '../data/page-objects.ts'
import type { RequestedObject } from '../frame/object-content.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { type SavedEffect, withEffect } from '../frame/saved-notice.ts'
import { type Content, html } from '../html.ts'
import { type Text, translate } from '../texts/translate.ts'

/** A mark that users set on objects for themselves. */
interface Mark {
  readonly model: string
  readonly feature: Feature
  /** Last segment of the address that sets and removes it. */
  readonly path: string
  readonly icon: IconName
  readonly set: Text
  readonly unset: Text
  readonly notices: readonly [set: SavedEffect, unset: SavedEffect]
}

export const MARKS: readonly Mark[] = [
  {
    model: SYSTEM.bookmark,
    feature: 'bookmarks',
    path: 'bookmark',
    icon: 'bookmark',
    set: 'Bookmark',
    unset: 'Remove bookmark',
    notices: ['bookmarked', 'unbookmarked'],
  },
  {
    model: SYSTEM.subscription,
    feature: 'notifications',
    path: 'subscribe',
    icon: 'bell',
    set: 'Subscribe',
    unset: 'Unsubscribe',
    notices: ['subscribed', 'unsubscribed'],
  },
]

/** Buttons that set or remove the user's marks on an object. */
export async function markForms({ request, model, object }: RequestedObject): Promise<Content> {
  const { actor, csrfToken, service } = request
  const { registry, settings } = service
  const offered = MARKS.filter(
    (mark) => model.has(mark.feature) && mayAct(actor, 'add', registry.model(mark.model), settings),
  )
  if (actor.kind !== 'user' || offered.length === 0) return undefined
  const set = await marksOf(request, actor.id, model, Number(object.id))
  const page = `${settings.basePath}${pagePathOf(model)}${object.id}/`
  return offered.map((mark) => {
    const isSet = set.has(mark.model)
    const label = translate(isSet ? mark.unset : mark.set)
    return html`<form class="inline" method="post" action="${page}${mark.path}/">
${csrfField(csrfToken)}
<button class="icon-button" aria-pressed="${String(isSet)}" aria-label="${label}" title="${label}">${icon(mark.icon)}</button></form>`
  })
}

/** Ids of the user's marks on the object, by their model. */
async function marksOf(
  { service }: ApiRequest,
  user: number,
  model: Model,
  id: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await cachedColumn(
    service,
    join(
      MARKS.map(
        (mark) => sql`select ${mark.model}::text || ' ' || t.id from ${table(mark.model)} t
where t.object_type = ${model.name} and t.object_id = ${id}::bigint and t.user_id = ${user}::bigint`,
      ),
      ' union all ',
    ),
  )
  return new Map(
    rows.map((row) => {
      const [name = '', mark] = String(row).split(' ')
      return [name, Number(mark)]
    }),
  )
}

/** POST of `…/<id>/bookmark/` and `…/<id>/subscribe/`: sets the mark, or removes it. */
export const markPage =
  (mark: Mark) =>
  async (request: ApiRequest, model: Model): Promise<PageResponse> => {
    const { service } = request
    const user = requireUser(request)
    const { object } = await readOne(request, model)
    const page = `${service.settings.basePath}${pagePathOf(model)}${object.id}/`
    if (request.method !== 'POST') return seeOther(page)
    const marks = service.registry.model(mark.model)
    const set = (await marksOf(request, user.id, model, Number(object.id))).get(mark.model)
    if (set === undefined) {
      const body = { object_type: model.name, object_id: object.id, user: user.id }
      await create(sending(request, 'POST', body), marks)
      return seeOther(withEffect(page, mark.notices[0]))
    }
    await remove({ ...sending(request, 'DELETE', undefined), parameters: [String(set)] }, marks)
    return seeOther(withEffect(page, mark.notices[1]))
  }

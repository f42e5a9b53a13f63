import type { ApiRequest } from '../../api/api-request.ts'
import { removeMany } from '../../api/verbs/remove.ts'
import { updateMany } from '../../api/verbs/update.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { csrfField } from '../components/csrf-field.ts'
import { type ObjectRow, objectTable } from '../components/object-table.ts'
import { shownName } from '../components/shown-name.ts'
import { type DisplayOptions, EMPTY, linkToObject, timestampDisplay } from '../components/value.ts'
import { displayOptionsOf } from '../data/display-options.ts'
import { sending } from '../data/inner-request.ts'
import { readList } from '../data/page-objects.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { type Content, html } from '../html.ts'
import { sentenceOfChanges } from '../object-parts/change-summary.ts'
import { translate } from '../texts/translate.ts'
import { accountPage } from './account-page.ts'
import { asOwner, chosenIds } from './own-objects.ts'

const isUnread = ({ read }: JsonObject): boolean => read === null

async function unreadIds(ownerRequest: ApiRequest, model: Model): Promise<readonly number[]> {
  const { objects } = await readList(ownerRequest, model, {
    query: new URLSearchParams({ limit: '0' }),
    paths: ['id', 'read'],
  })
  return objects.filter(isUnread).map(({ id }) => Number(id))
}

/** Notifications about the objects of one request. */
interface Line {
  /** The latest first. */
  readonly notifications: readonly JsonObject[]
  /** Name of the user who made the request; empty if it is not known. */
  readonly author: string
}

/** The user's notifications, the latest first, one line per request. */
async function linesOf(ownerRequest: ApiRequest, model: Model): Promise<readonly Line[]> {
  const query = new URLSearchParams({ limit: String(MOST_READ) })
  const { objects } = await readList(ownerRequest, model, { query })
  const ids = objects.map(({ id }) => Number(id))
  const rows = await ownerRequest.service.database.query<{ id: number; request: string | null; author: string }>(sql`
    select t.id, t.request, t.author from ${table(model)} t where t.id = any(${ids}::bigint[])`)
  const causes = new Map(rows.map(({ id, request, author }) => [Number(id), { request, author }]))
  const causeOf = ({ id }: JsonObject) => causes.get(Number(id))
  const lines = Map.groupBy(objects, (notification) => causeOf(notification)?.request ?? `${notification.id}`)
  return [...lines.values()].slice(0, MOST_LINES).map((notifications) => ({
    notifications,
    author: (notifications[0] && causeOf(notifications[0])?.author) ?? '',
  }))
}

/** Notifications that are read, lines that are shown, and objects that a line names. */
const MOST_READ = 1_000
const MOST_LINES = 200
const MOST_NAMES = 50

/**
 * What a line says: `Site Akron created`, `Review requested: New uplinks`, `30 VLANs created` with their names folded.
 */
function messageOf(registry: Registry, { notifications }: Line, options: DisplayOptions): Content {
  const [first] = notifications
  if (!first) return undefined
  const nameOf = ({ object, display }: JsonObject): Content =>
    isJsonObject(object) ? linkToObject(object, options) : html`<bdi>${String(display)}</bdi>`
  if (notifications.length === 1) {
    const { object, display } = first
    const page = isJsonObject(object) ? options.pageOf(String(object.url)) : undefined
    // A message has a text of its own before the name of the object.
    const isMessage = isJsonObject(object) && String(display).endsWith(`: ${object.display}`)
    const text = isMessage ? String(display) : eventText(registry, first)
    return page === undefined ? text : html`<a href="${options.basePath}${page}"><bdi>${text}</bdi></a>`
  }
  const kinds = Map.groupBy(notifications, ({ object_type: type, event_type: event }) => `${type} ${event}`)
  const sentence = sentenceOfChanges(
    registry,
    [...kinds.values()].map((list) => ({
      type: String(list[0]?.object_type),
      action: ACTIONS.get(list[0]?.event_type) ?? 'update',
      count: list.length,
    })),
  )
  const more = notifications.length - MOST_NAMES
  return html`<details><summary>${sentence}</summary>${notifications.slice(0, MOST_NAMES).map((object, index) => html`${index > 0 && ', '}${nameOf(object)}`)}${more > 0 && html` ${translate('and {count} more', { count: more })}`}</details>`
}

const ACTIONS: ReadonlyMap<unknown, string> = new Map([
  ['object_created', 'create'],
  ['object_updated', 'update'],
  ['object_deleted', 'delete'],
])

/** `Site Akron created`; deleted objects have the name that they had then. */
const eventText = (registry: Registry, notification: JsonObject): string =>
  shownName(registry, { ...notification, object: { display: notification.display ?? null } })

function lineRow(registry: Registry, line: Line, options: DisplayOptions): ObjectRow {
  const { notifications, author } = line
  const [first] = notifications
  const read = notifications.some(isUnread) ? EMPTY : timestampDisplay(String(first?.read))
  return {
    // The check box stands for all notifications of the line.
    id: notifications.map(({ id }) => Number(id)).join(),
    label: String(first?.display),
    cells: [messageOf(registry, line, options), author, timestampDisplay(String(first?.created)), read],
  }
}

/**
 * GET and POST of the user's notifications: the selected ones, or all, are marked as read, or the selected ones are
 * removed.
 */
export async function notificationsPage(request: ApiRequest): Promise<PageResponse> {
  const { service } = request
  const model = service.registry.model(SYSTEM.notification)
  const ownerRequest = asOwner(request, model)
  if (request.method === 'POST') {
    const ids = await chosenIds(request)
    const action = (await request.body.form())?.get('action')?.at(-1)
    const read = new Date(service.clock.now()).toISOString()
    if (action === 'remove') {
      await removeMany(
        sending(
          ownerRequest,
          'DELETE',
          ids.map((id) => ({ id })),
        ),
        model,
      )
    } else {
      const marked = action === 'read-all' ? await unreadIds(ownerRequest, model) : ids
      await updateMany(
        sending(
          ownerRequest,
          'PATCH',
          marked.map((id) => ({ id, read })),
        ),
        model,
      )
    }
    return seeOther(`${service.settings.basePath}/user/notifications/`)
  }
  const lines = await linesOf(ownerRequest, model)
  const options = await displayOptionsOf(
    request,
    lines.flatMap(({ notifications }) => notifications.slice(0, MOST_NAMES)),
  )
  const list = objectTable({
    columns: [translate('Message'), translate('By'), translate('Time'), translate('Read')].map((label) => ({
      name: label,
      label,
    })),
    rows: lines.map((line) => lineRow(service.registry, line, options)),
    selectionForm: 'chosen',
    label: translate('Notifications'),
  })
  const content =
    lines.length === 0
      ? html`<p class="notice">${translate('You have no notifications.')}</p>`
      : html`<form id="chosen" method="post">${csrfField(request.csrfToken)}</form>${list}
<div class="buttons">${lines.some(({ notifications }) => notifications.some(isUnread)) && html`<button form="chosen" name="action" value="read-all">${translate('Mark all as read')}</button>`}<button class="quiet" form="chosen" name="action" value="read">${translate('Mark selected as read')}</button><button class="quiet" form="chosen" name="action" value="remove">${translate('Remove selected')}</button></div>`
  return accountPage(request, 'notifications', { content })
}

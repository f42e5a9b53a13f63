import { mayAct } from '../../identity/permitted-rows.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { panel } from '../components/panel.ts'
import { timestampDisplay } from '../components/value.ts'
import { readList } from '../data/page-objects.ts'
import type { RequestedObject } from '../frame/object-content.ts'
import { type Content, html } from '../html.ts'
import { sentenceOfChanges } from '../object-parts/change-summary.ts'
import { translate } from '../texts/translate.ts'

/** Changes that are read, and requests that are shown. */
const READ = 30
const SHOWN = 4

/** The latest changes of the object and of its parts, with their authors, one line for each request. */
export async function latestChanges({ request, model, object }: RequestedObject): Promise<Content> {
  const { registry, settings, isPast } = request.service
  const changes = registry.model(SYSTEM.objectChange)
  if (isPast || !model.has('changeLogging') || !mayAct(request.actor, 'view', changes, settings)) return undefined
  const concerned = `${model.name}:${object.id}`
  const query = new URLSearchParams({ concerns: concerned, limit: String(READ) })
  const paths = [
    'id',
    'time',
    'user_name',
    'action',
    'changed_object_type',
    'changed_object_id',
    'object_repr',
    'request_id',
  ]
  const { objects } = await readList(request, changes, { query, paths, count: null })
  const requests = [...Map.groupBy(objects, ({ request_id: id }) => String(id)).values()].slice(0, SHOWN)
  if (requests.length === 0) return undefined
  const lines = requests.map(([latest, ...others]) => {
    if (!latest) return undefined
    const kinds = [...Map.groupBy([latest, ...others], kindOf).values()].flatMap(([first, ...equal]) =>
      first ? [{ type: String(first.changed_object_type), action: actionOf(first), count: equal.length + 1 }] : [],
    )
    const href = `${settings.basePath}${pagePathOf(changes)}${latest.id}/`
    const isPart = others.length === 0 && `${latest.changed_object_type}:${latest.changed_object_id}` !== concerned
    return html`<li><span><a href="${href}">${sentenceOfChanges(registry, kinds)}</a>${isPart && html` <bdi>${String(latest.object_repr)}</bdi>`} <span class="muted"><bdi>${String(latest.user_name)}</bdi></span></span>${timestampDisplay(String(latest.time))}</li>`
  })
  const log = `${settings.basePath}${pagePathOf(model)}${object.id}/changelog/`
  return panel(
    translate('Latest changes'),
    html`<ul class="plain latest">${lines}</ul>`,
    html`<a class="small" href="${log}">${translate('Changelog')}</a>`,
  )
}

const actionOf = ({ action }: JsonObject): string => String(isJsonObject(action) ? action.value : action)

const kindOf = (change: JsonObject): string => `${change.changed_object_type} ${actionOf(change)}`

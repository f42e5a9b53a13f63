import type { ApiRequest } from '../../api/api-request.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { type DisplayOptions, linkToObject, timestampDisplay, valueDisplay } from '../components/value.ts'
import { displayOptionsOf } from '../data/display-options.ts'
import { readList } from '../data/page-objects.ts'
import type { ObjectTab } from '../frame/object-content.ts'
import { type Content, html } from '../html.ts'
import { changedFields, fieldChanges } from '../object-parts/field-changes.ts'
import { translate } from '../texts/translate.ts'
import { listWindow } from './list-window.ts'

const changesOf: NonNullable<ObjectTab['list']> = (registry, { name }, { id }) => ({
  model: registry.model(SYSTEM.objectChange),
  query: new URLSearchParams({ concerns: `${name}:${id}` }),
})

/** Who changed which fields of the object and of its parts, and when. */
export const changelogTab: ObjectTab = {
  models: (model) => model.has('changeLogging'),
  path: 'changelog',
  label: () => translate('Changelog'),
  list: changesOf,
  load: async ({ request, model, object }) => {
    const { model: changes, query } = changesOf(request.service.registry, model, object)
    const { objects, extent } = await listWindow(request, query, (query) => readList(request, changes, { query }))
    return {
      content:
        objects.length === 0
          ? html`<p class="notice">${translate('No changes are recorded.')}</p>`
          : html`${extent}${await changeList(request, changes, objects, String(object.url))}`,
    }
  },
}

/** Changes with their fields, the latest first; those of other objects than the page's own name their object. */
async function changeList(
  request: ApiRequest,
  changes: Model,
  records: readonly JsonObject[],
  ownUrl: string,
): Promise<Content> {
  const fields = await fieldChanges(request, records)
  const around = await displayOptionsOf(request, [])
  const page = `${around.basePath}${pagePathOf(changes)}`
  const action = changes.fields.get('action')
  return html`<ol class="changes">${records.map((record) => {
    const own = fields.get(Number(record.id)) ?? []
    const isUpdate = isJsonObject(record.action) && record.action.value === 'update'
    const author = isJsonObject(record.user)
      ? linkToObject(record.user, around)
      : html`<bdi>${String(record.user_name)}</bdi>`
    return html`<li class="card"><p class="entry-head">${valueDisplay(action, record.action, around)} ${partOf(record, ownUrl, around)} <a href="${page}${Number(record.id)}/">${timestampDisplay(String(record.time))}</a> ${author} <a class="muted" href="${page}?request_id=${String(record.request_id)}">${translate('Changes made together')}</a> <a class="button quiet small" href="${page}${Number(record.id)}/undo/">${translate('Undo')}</a></p>
${record.message !== '' && html`<p class="message" dir="auto">${String(record.message)}</p>`}
${isUpdate ? changedFields(own) : html`<details><summary>${translate('{count} field|{count} fields', { count: own.length })}</summary>${changedFields(own)}</details>`}</li>`
  })}</ol>`
}

/** The changed object with its type, unless it is the page's own. */
function partOf(record: JsonObject, ownUrl: string, around: DisplayOptions): Content {
  const { changed_object: object, changed_object_type: type } = record
  if (isJsonObject(object) && object.url === ownUrl) return undefined
  const kind = around.modelTitle(String(type)) ?? String(type)
  const name = isJsonObject(object) ? linkToObject(object, around) : html`<bdi>${String(record.object_repr)}</bdi>`
  return html`<span>${kind} ${name}</span>`
}

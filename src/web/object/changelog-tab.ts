import type { ApiRequest } from '../../api/api-request.ts'
import { defaultFields } from '../../schema/default-fields.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { compareObjectAddress } from '../compare/compare-page.ts'
import { type DisplayOptions, linkToObject, timestampDisplay, valueDisplay } from '../components/value.ts'
import { type ChangeGroup, readChangeGroups } from '../data/change-groups.ts'
import { displayOptionsOf } from '../data/display-options.ts'
import { readSelected } from '../data/page-objects.ts'
import type { ObjectTab } from '../frame/object-content.ts'
import { type Content, type Html, html } from '../html.ts'
import { changeTable, sentenceOfChanges } from '../object-parts/change-summary.ts'
import { type ChangedField, changedFields, fieldChanges, foldedFields } from '../object-parts/field-changes.ts'
import { translate } from '../texts/translate.ts'
import { listWindow } from './list-window.ts'
import { WHOLE_REQUEST } from './undo-page.ts'

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
    const { objects, extent } = await listWindow(request, query, (window) =>
      readChangeGroups(request, changes, window, SAMPLED),
    )
    const link = compareObjectAddress({ request, model, object })
    return {
      content:
        objects.length === 0
          ? html`<p class="notice">${translate('No changes are recorded.')}</p>`
          : html`${link !== undefined && html`<p><a class="button quiet small" href="${link}">${translate('Compare two times')}</a></p>`}${extent}${await changeList(request, changes, objects, String(object.url))}`,
    }
  },
}

/** Changes of a request that its entry shows. */
const SAMPLED = 50

/**
 * The changes of each request with their fields, the latest first; those of other objects than the page's own name
 * their object.
 */
async function changeList(
  request: ApiRequest,
  changes: Model,
  groups: readonly ChangeGroup[],
  ownUrl: string,
): Promise<Content> {
  const ids = groups.flatMap((group) => group.ids)
  const selection = { fields: defaultFields(changes), excludeContext: true }
  const read = await readSelected(request, changes, ids, selection)
  const records = new Map(read.map((record) => [Number(record.id), record]))
  const recordsOf = (group: ChangeGroup): readonly JsonObject[] =>
    group.ids.map((id) => records.get(id)).filter((record) => record !== undefined)
  const fields = await fieldChanges(request, groups.filter(({ count }) => count === 1).flatMap(recordsOf))
  const options = await displayOptionsOf(request, [])
  const page = `${options.basePath}${pagePathOf(changes)}`
  const entries = await Promise.all(
    groups.map(async (group) => {
      const sample = recordsOf(group)
      const [record] = sample
      // Deleted since.
      if (!record) return undefined
      const content =
        group.count === 1
          ? changeOfOne(record, fields.get(group.latest) ?? [])
          : html`<details><summary>${translate('Show the changes')}</summary>${await changeTable(request, sample, { total: group.count })}</details>`
      const what =
        group.count === 1
          ? html`${valueDisplay(changes.fields.get('action'), record.action, options)} ${partOf(record, ownUrl, options)}`
          : html`<strong>${sentenceOfChanges(request.service.registry, group.kinds, sample)}</strong>`
      return html`<li class="card"><p class="entry-head">${what} ${headOf(group, record, page, options)}</p>
${record.message !== '' && html`<p class="message" dir="auto">${String(record.message)}</p>`}
${content}</li>`
    }),
  )
  return html`<ol class="changes">${entries}</ol>`
}

/** Time and author of the changes of a request, and their undo. */
function headOf(group: ChangeGroup, record: JsonObject, page: string, options: DisplayOptions): Html {
  const author = isJsonObject(record.user)
    ? linkToObject(record.user, options)
    : html`<bdi>${String(record.user_name)}</bdi>`
  const isAll = group.count === group.total
  const undo = `${page}${group.latest}/undo/${group.count > 1 ? `?${WHOLE_REQUEST}` : ''}`
  return html`<a href="${page}${group.latest}/">${timestampDisplay(String(record.time))}</a> ${author} ${(!isAll || group.count > 1) && html`<a class="muted" href="${page}?request_id=${group.requestId}">${translate('All {count} changes of this action', { count: group.total })}</a>`} <a class="button quiet small" href="${undo}">${translate('Undo')}</a>`
}

function changeOfOne(record: JsonObject, fields: readonly ChangedField[]): Content {
  const isUpdate = isJsonObject(record.action) && record.action.value === 'update'
  return isUpdate ? changedFields(fields) : foldedFields(fields)
}

/** The changed object with its type, unless it is the page's own. */
function partOf(record: JsonObject, ownUrl: string, options: DisplayOptions): Content {
  const { changed_object: object, changed_object_type: type } = record
  if (isJsonObject(object) && object.url === ownUrl) return undefined
  const kind = options.modelTitle(String(type)) ?? String(type)
  const name = isJsonObject(object) ? linkToObject(object, options) : html`<bdi>${String(record.object_repr)}</bdi>`
  return html`<span>${kind} ${name}</span>`
}

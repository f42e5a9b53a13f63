import type { ApiRequest } from '../../api/api-request.ts'
import { ApiError } from '../../base/errors.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { controlField } from '../components/control.ts'
import { csrfField } from '../components/csrf-field.ts'
import { shownNoun, shownPlural, shownPluralNoun } from '../components/model-title.ts'
import { shownName } from '../components/shown-name.ts'
import { timestampDisplay } from '../components/value.ts'
import { type ApiRoutes, askApi, jsonOf } from '../data/ask-api.ts'
import { contextsOfObjects } from '../data/object-names.ts'
import { readOne, visibleObjects } from '../data/page-objects.ts'
import { textIn } from '../forms/form-texts.ts'
import { CHANGE_NOTE, messageControl } from '../forms/message-control.ts'
import { RETURN, returnPath, withParameters } from '../forms/return-path.ts'
import type { ModelPage } from '../frame/page-endpoint.ts'
import { sentenceOf } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { noticeParameters, numberParameter } from '../frame/saved-notice.ts'
import { type Content, html } from '../html.ts'
import { changeTable } from '../object-parts/change-summary.ts'
import { changedFieldLabel, fieldChanges, recordOf } from '../object-parts/field-changes.ts'
import { type Text, translate, translateMarkup } from '../texts/translate.ts'

/** Parameter in the page's URL that undoes the whole request of the change. */
export const WHOLE_REQUEST = 'request'

/** GET and POST of `…/<id>/undo/` of a change: shows what an undo would change, then performs it. */
export const undoPage =
  (routes: ApiRoutes): ModelPage =>
  async (request, model) => {
    const { object: record } = await readOne(request, model)
    const isWhole = request.search.has(WHOLE_REQUEST)
    const form = request.method === 'POST' ? await request.body.form() : undefined
    const message = textIn(form, CHANGE_NOTE)
    const list = `${request.service.settings.basePath}${pagePathOf(model)}`
    const undo = async (body: JsonObject): Promise<Json> => {
      const target = isWhole ? `core/requests/${record.request_id}` : `core/object-changes/${record.id}`
      return jsonOf(await askApi(routes, request, { path: `${target}/undo/`, method: 'POST', body }))
    }
    let refusal: ApiError | undefined
    let preview: Json = null
    try {
      if (form) {
        const undone = changesIn(await undo({ [CHANGE_NOTE]: message }))
        return seeOther(await pageAfter(request, record, { changes: list, count: undone.length }))
      }
      preview = await undo({ dry_run: true })
    } catch (error) {
      if (!(error instanceof ApiError) || !SHOWN.has(error.reason.kind)) throw error
      refusal = error
    }
    const changes = changesIn(preview)
    const count = changes.length
    const title = count > 0 ? translate('Undo {count} change?|Undo {count} changes?', { count }) : translate('Undo')
    const name = shownName(request.service.registry, record)
    return {
      title,
      model,
      status: refusal === undefined ? 200 : 409,
      styles: ['objects.css', 'object.css'],
      breadcrumbs: [
        { label: shownPlural(model), path: pagePathOf(model) ?? '/' },
        { label: name, path: `${pagePathOf(model)}${record.id}/` },
        { label: title, path: `${pagePathOf(model)}${record.id}/undo/` },
      ],
      body: html`<div class="heading"><div><p class="kind">${name}</p><h1>${title}</h1></div></div>
${refusal && (await refusalNotice(request, model, refusal))}
<form method="post" action="${request.url.pathname}${request.url.search}">
${csrfField(request.csrfToken)}
${count > 0 && html`<div class="card fields">${controlField(messageControl(request, model, { help: translate('Reason for the undo (shown in the changelog)'), value: message }), 'undo')}</div>`}
${!refusal && returningNotice(request, preview)}
${!refusal && (await changePreview(request, changes))}
<div class="buttons sticky">${count > 0 && html`<button>${translate('Undo {count} change|Undo {count} changes', { count })}</button>`}<a class="button quiet" href="${list}${Number(record.id)}/">${translate('Cancel')}</a></div>
</form>`,
    }
  }

/** The changes in a response about an undo. */
const changesIn = (response: Json): readonly JsonObject[] =>
  isJsonObject(response) && Array.isArray(response.changes) ? response.changes.filter(isJsonObject) : []

/** The page to return to, otherwise the present object of the change, or its list if it has been deleted. */
async function pageAfter(
  request: ApiRequest,
  record: JsonObject,
  { changes, count }: { readonly changes: string; readonly count: number },
): Promise<string> {
  const { registry, settings } = request.service
  const model = registry.models.get(String(record.changed_object_type))
  const root = model && pagePathOf(model)
  const objects = root === undefined ? changes : `${settings.basePath}${root}`
  const id = Number(record.changed_object_id)
  const isThere = model && (await visibleObjects(request, model, [id], ['id'])).has(id)
  const page = root !== undefined && isThere ? `${objects}${id}/` : objects
  const returnTo = returnPath(request, lastValue(request.search, RETURN))
  return withParameters(request, returnTo ?? page, { ...noticeParameters('undone'), ...numberParameter(count) })
}

/** Refusals that the page explains. */
const SHOWN: ReadonlySet<string> = new Set(['conflict', 'forbidden', 'inUse', 'invalid'])

/** The reasons that prevent the undo, each with the change that causes it. */
async function refusalNotice(request: ApiRequest, model: Model, error: ApiError): Promise<Content> {
  const { reason } = error
  if (reason.kind !== 'conflict') {
    return html`<p class="notice bad" role="alert">${sentenceOf(error)}</p>`
  }
  const page = `${request.service.settings.basePath}${pagePathOf(model)}`
  const conflicts = reason.conflicts.map((conflict) => ({ ...conflict }) as JsonObject) // built as JSON by the API
  const changed = await laterChanges(request, model, conflicts)
  return html`<section class="card" role="alert"><h2>${translate('This cannot be undone now')}</h2>
<ul>${conflicts.map((conflict) => {
    const { detail, change } = conflict
    const later = changed(conflict)
    if (later !== undefined) return html`<li>${later}</li>`
    const cause =
      isJsonObject(change) &&
      html` <a href="${page}${Number(change.id)}/">${translate('Changed by {user}', { user: String(change.user_name) })}</a>`
    return html`<li>${String(detail)}${cause}</li>`
  })}</ul></section>`
}

/**
 * Says of a field that was changed again: in which object, by whom, when, and how. Undefined for other conflicts, and for
 * changes that the sender may not view.
 */
async function laterChanges(
  request: ApiRequest,
  model: Model,
  conflicts: readonly JsonObject[],
): Promise<(conflict: JsonObject) => Content> {
  const { registry, settings } = request.service
  const ids = conflicts.flatMap(({ reason, change }) =>
    reason === 'changed' && isJsonObject(change) ? [Number(change.id)] : [],
  )
  const records = await visibleObjects(request, model, ids, [
    ...['time', 'user_name', 'action', 'object_repr', 'changed_object_type', 'changed_object_id'],
    ...['prechange_data', 'postchange_data'],
  ])
  const fields = await fieldChanges(request, [...records.values()])
  return ({ reason, change, object_type: type, object_id: id, field }) => {
    const record = reason === 'changed' && isJsonObject(change) ? records.get(Number(change.id)) : undefined
    const changedModel = registry.models.get(String(type))
    if (!record || !changedModel) return undefined
    const label = changedFieldLabel(registry, changedModel, String(field))
    const values = fields.get(Number(record.id))?.find((candidate) => candidate.label === label)
    const root = `${settings.basePath}${pagePathOf(changedModel)}`
    return translateMarkup('{object}: {field} was changed by {user} at {time}{values}.', {
      object: html`<a href="${root}${Number(id)}/"><bdi>${String(record.object_repr)}</bdi></a>`,
      field: html`<strong>${label}</strong>`,
      user: html`<bdi>${String(record.user_name)}</bdi>`,
      time: html`<a href="${settings.basePath}${pagePathOf(model)}${Number(record.id)}/">${timestampDisplay(String(record.time))}</a>`,
      values: values ? html`: <del>${values.before}</del> → <ins>${values.after}</ins>` : '',
    })
  }
}

/** Objects that come back with their type, and values that come back with their field or tag. */
function returningNotice({ service }: ApiRequest, preview: Json): Content {
  const parts = isJsonObject(preview) && Array.isArray(preview.returning) ? preview.returning.filter(isJsonObject) : []
  const sentences = parts.flatMap((part) => {
    const [count, name] = [Number(part.count), String(part.label)]
    if (count === 0) return []
    if (part.field === null) return [translate('{count} {objects} will come back.', { count, objects: name })]
    const model = service.registry.model(String(part.object_type))
    const objects = count === 1 ? shownNoun(model) : shownPluralNoun(model)
    return [translate(part.field === 'tags' ? TAG_RETURNS : VALUE_RETURNS, { count, objects, name })]
  })
  return sentences.length > 0 && html`<div class="notice">${sentences.map((text) => html`<p>${text}</p>`)}</div>`
}

const VALUE_RETURNS =
  '{count} {objects} will have its value of “{name}” again.|{count} {objects} will have their value of “{name}” again.'
const TAG_RETURNS = '{count} {objects} will have the tag “{name}” again.'

const VERBS = { create: 'Restored', update: 'Changed', delete: 'Deleted' } as const satisfies Readonly<
  Record<string, Text>
>

/** The changes that the undo would make, as a table. */
async function changePreview(request: ApiRequest, changes: readonly JsonObject[]): Promise<Content> {
  if (changes.length === 0) {
    return html`<p class="notice">${translate('There is nothing to undo: everything is already in its previous state.')}</p>`
  }
  const records = changes.map(
    (change, index): JsonObject => ({
      ...change,
      ...recordOf(index, {
        type: String(change.object_type),
        action: change.action,
        fields: isJsonObject(change.changes) ? change.changes : {},
      }),
    }),
  )
  const contextOf = await contextsOfObjects(
    request,
    changes.map(({ object_type: type, object_id: id }) => ({ type: String(type), id: Number(id) })),
  )
  const named = records.map((record): JsonObject => {
    const context = contextOf({ type: String(record.object_type), id: Number(record.object_id) })
    return context === undefined ? record : { ...record, object_repr: `${context} · ${record.object_repr}` }
  })
  return html`<h2>${translate('What happens')}</h2>${await changeTable(request, named, { verbs: VERBS })}`
}

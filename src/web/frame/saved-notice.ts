import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { EFFECT_PARAMETERS } from '../../schema/list-parameters.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { shownTitle } from '../components/model-title.ts'
import { readList, visibleObjects } from '../data/page-objects.ts'
import { type Content, type Html, html } from '../html.ts'
import { type Text, translate, translateLabel, translateMarkup } from '../texts/translate.ts'

/** Sentences that do not refer to an object. */
const PLAIN_SENTENCES = {
  done: 'Changes saved.',
  'sample-loaded': 'The sample network was loaded.',
  'sample-removed': 'The sample network was removed.',
  undone: 'Undone.',
  bookmarked: 'Bookmarked.',
  unbookmarked: 'The bookmark was removed.',
  subscribed: 'You will be notified of changes.',
  unsubscribed: 'You will no longer be notified of changes.',
  'journal-entry': 'The journal entry was added.',
  image: 'The image was added.',
  file: 'The file was added.',
  reviewed: 'Your review was added.',
  queued: 'The job was queued.',
  replayed: 'The delivery will be sent again.',
  canceled: 'No further attempt will be made.',
  stopped: 'The job was stopped.',
  password: 'Your password was changed.',
  merged: 'The branch was merged into main.',
  synchronised: 'The branch was synchronised with main.',
  archived: 'The branch was archived.',
  reverted: 'The merge was reverted. The branch is open again.',
  decided: 'Your decision was saved.',
} as const satisfies Readonly<Record<string, Text>>

type PlainEffect = keyof typeof PLAIN_SENTENCES

/** Sentences about a number of objects of a list. */
const COUNTED_SENTENCES = {
  'created-all': '{count} {objects} created.',
  'changed-all': '{count} {objects} changed.',
  'renamed-all': '{count} {objects} renamed.',
  'deleted-all': '{count} {objects} deleted.',
  'imported-all': '{count} {objects} imported.',
  'disconnected-all': '{count} {objects} disconnected.',
  'synced-all': '{count} {objects} synchronised.',
} as const satisfies Readonly<Record<string, Text>>

/** The effect of a form on several objects; the URL contains their number. */
export type CountedEffect = keyof typeof COUNTED_SENTENCES

/** The effect of a form, as in the URL of the next page: `?saved=created`. */
export type SavedEffect = 'created' | 'changed' | 'unchanged' | 'deleted' | PlainEffect | CountedEffect

/** The object to which a sentence refers; undefined if the page is a list. */
interface Named {
  readonly kind: string
  readonly link: Content
}

/** Sentences about an object, or about those of a list. */
const SENTENCES: Readonly<Record<Exclude<SavedEffect, PlainEffect | CountedEffect>, (named: Named) => Content>> = {
  created: ({ kind, link }) => translateMarkup('{model} {object} was created.', { model: kind, object: link }),
  changed: ({ kind, link }) => translateMarkup('{model} {object} was saved.', { model: kind, object: link }),
  unchanged: ({ kind, link }) =>
    translateMarkup('{model} {object} was not saved, because nothing had changed.', {
      model: kind,
      object: link,
    }),
  deleted: ({ kind }) => translate('The {model} was deleted.', { model: kind }),
}

/** The effects that name the object. */
const NAMING: ReadonlySet<SavedEffect> = new Set(['created', 'changed', 'unchanged'])

const isPlain = (text: string): text is PlainEffect => Object.hasOwn(PLAIN_SENTENCES, text)

const isCounted = (text: string): text is CountedEffect => Object.hasOwn(COUNTED_SENTENCES, text)

const isSavedEffect = (text: string | undefined): text is SavedEffect =>
  text !== undefined && (isPlain(text) || isCounted(text) || Object.hasOwn(SENTENCES, text))

/** Parameters with the action and its object. */
const [EFFECT, OBJECT, COUNT, MODEL, REQUEST] = EFFECT_PARAMETERS

/**
 * Parameters of the next page's URL, for its sentence about the action. `undo`: the request whose changes the page
 * offers to undo.
 */
export const noticeParameters = (
  effect: SavedEffect,
  { id, undo }: { readonly id?: number | undefined; readonly undo?: ApiRequest | undefined } = {},
): Readonly<Record<string, string>> => ({
  [EFFECT]: effect,
  ...(id !== undefined && { [OBJECT]: String(id) }),
  ...(undo && { [REQUEST]: undo.id }),
})

/** Parameter with the model of the objects, for pages about another model. */
export const modelParameter = ({ name }: Model): Readonly<Record<string, string>> => ({
  [MODEL]: name,
})

/** Parameters with the action of this request and the number of objects of the list. */
export const countParameters = (
  undo: ApiRequest,
  effect: CountedEffect,
  count: number,
): Readonly<Record<string, string>> => ({
  ...noticeParameters(effect, { undo }),
  [COUNT]: String(count),
})

/** Parameter with the number of changes that an undo has undone. */
export const numberParameter = (count: number): Readonly<Record<string, string>> => ({ [COUNT]: String(count) })

/** The URL of a page that reports the effect, and offers to undo this request; the path has no query. */
export const withEffect = (path: string, effect: SavedEffect, undo?: ApiRequest): string =>
  `${path}?${new URLSearchParams(noticeParameters(effect, { undo }))}`

/** Removes these parameters from a query: the sentence belongs to only one page. */
export function dropEffect(query: URLSearchParams): void {
  for (const name of EFFECT_PARAMETERS) query.delete(name)
}

/** The sentence about the effect of the previous form; undefined if there was none. */
export async function savedNotice(request: ApiRequest, pageModel: Model | undefined): Promise<Html | undefined> {
  const sentence = await sentenceAbout(request, pageModel)
  if (sentence === undefined) return undefined
  return html`<p class="notice good toast" role="status"><span>${sentence}${await undoLink(request, pageModel)}</span><button type="button" class="close" aria-label="${translate('Close')}">×</button></p>`
}

async function sentenceAbout(request: ApiRequest, pageModel: Model | undefined): Promise<Content> {
  const model = request.service.registry.models.get(lastValue(request.search, MODEL) ?? '') ?? pageModel
  const effect = lastValue(request.search, EFFECT)
  if (!isSavedEffect(effect)) return undefined
  const count = Number(lastValue(request.search, COUNT))
  if (effect === 'undone' && count > 0) return translate('{count} change undone.|{count} changes undone.', { count })
  if (isPlain(effect)) return translate(PLAIN_SENTENCES[effect])
  if (isCounted(effect)) {
    if (!model || !Number.isSafeInteger(count)) return translate(PLAIN_SENTENCES.done)
    const [singular, plural] = model.definition.labels
    const objects = translateLabel(count === 1 ? singular : plural)
    return translate(COUNTED_SENTENCES[effect], { count, objects })
  }
  const link = model && (await linkTo(request, model, Number(lastValue(request.search, OBJECT))))
  if (!model || (NAMING.has(effect) && !link)) return translate(PLAIN_SENTENCES.done)
  return SENTENCES[effect]({ kind: shownTitle(model), link: link ?? '' })
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Link to the preview of an undo, for users who may view the changes. */
async function undoLink(request: ApiRequest, pageModel: Model | undefined): Promise<Content> {
  const { actor, search, service } = request
  const id = lastValue(search, REQUEST) ?? ''
  const change = service.registry.model(SYSTEM.objectChange)
  if (!UUID.test(id) || !mayAct(actor, 'view', change, service.settings)) return undefined
  const query = new URLSearchParams({ request_id: id, limit: '1' })
  const [record] = (await readList(request, change, { query, paths: ['id'] })).objects
  if (!record) return undefined
  const page = `${service.settings.basePath}${pagePathOf(change)}${Number(record.id)}/undo/`
  const back = String(new URLSearchParams({ return_url: pageAfterUndo(request, pageModel) }))
  return html` <a href="${page}?request&${back}">${translate('Undo')}</a>`
}

/** The URL to return to after the undo: by then, an object may have been deleted or may exist again. */
function pageAfterUndo({ search, url, service }: ApiRequest, pageModel: Model | undefined): string {
  const effect = lastValue(search, EFFECT)
  const id = lastValue(search, OBJECT)
  const list = `${service.settings.basePath}${(pageModel && pagePathOf(pageModel)) ?? '/'}`
  if (effect === 'created' && url.pathname === `${list}${id}/`) return list
  // A page about another object will still exist.
  if (effect === 'deleted' && id !== undefined && !search.has(MODEL)) return `${list}${id}/`
  const query = new URLSearchParams(search)
  dropEffect(query)
  // Objects created by the request are deleted.
  for (const name of ['created_by_request', 'modified_by_request']) query.delete(name)
  return query.size === 0 ? url.pathname : `${url.pathname}?${query}`
}

async function linkTo(request: ApiRequest, model: Model, id: number): Promise<Content | undefined> {
  if (!Number.isSafeInteger(id) || id <= 0) return undefined
  const object = (await visibleObjects(request, model, [id], ['id', 'display'])).get(id)
  const { basePath } = request.service.settings
  return object && html`<a href="${basePath}${pagePathOf(model)}${id}/"><bdi>${String(object.display)}</bdi></a>`
}

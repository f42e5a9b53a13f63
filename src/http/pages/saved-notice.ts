import { type Content, type Html, html } from '../../pages/html.ts'
import { translateMarkup } from '../../pages/translate-markup.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import type { PlainText } from '../../texts/catalogue.ts'
import { translate, translateLabel } from '../../texts/translate.ts'
import { type ApiRequest, lastValue } from '../api-request.ts'
import { shownTitle } from './model-title.ts'
import { visibleObjects } from './visible-objects.ts'

/** Sentences that name no object. */
const PLAIN_SENTENCES = {
  done: 'The changes were saved.',
  bookmarked: 'Bookmarked.',
  unbookmarked: 'The bookmark was removed.',
  subscribed: 'You will be notified of changes.',
  unsubscribed: 'You will no longer be notified of changes.',
  'journal-entry': 'The journal entry was added.',
  image: 'The image was added.',
  queued: 'The job was queued.',
  replayed: 'The delivery will be sent again.',
  canceled: 'No further attempt will be made.',
  stopped: 'The job was stopped.',
} as const satisfies Readonly<Record<string, PlainText>>

type PlainEffect = keyof typeof PLAIN_SENTENCES

/** The effect of a form, as the address of the next page tells it: `?saved=created`. */
export type SavedEffect =
  | 'created'
  | 'created-all'
  | 'changed'
  | 'unchanged'
  | 'deleted'
  | PlainEffect

/** The object that a sentence is about; undefined where the page is a list. */
interface Named {
  readonly kind: string
  readonly plural: string
  readonly link: Content
}

/** Sentences about an object, or about those of a list. */
const SENTENCES: Readonly<Record<Exclude<SavedEffect, PlainEffect>, (named: Named) => Content>> = {
  created: ({ kind, link }) =>
    translateMarkup('{model} {object} was created.', { model: kind, object: link }),
  'created-all': ({ plural }) => translate('The {objects} were created.', { objects: plural }),
  changed: ({ kind, link }) =>
    translateMarkup('{model} {object} was saved.', { model: kind, object: link }),
  unchanged: ({ kind, link }) =>
    translateMarkup('{model} {object} was left as it was: nothing had been changed.', {
      model: kind,
      object: link,
    }),
  deleted: ({ kind }) => translate('The {model} was deleted.', { model: kind }),
}

/** Those of the effects that say which object it was. */
const NAMING: ReadonlySet<SavedEffect> = new Set(['created', 'changed', 'unchanged'])

const isPlain = (text: string): text is PlainEffect => Object.hasOwn(PLAIN_SENTENCES, text)

const isSavedEffect = (text: string | undefined): text is SavedEffect =>
  text !== undefined && (isPlain(text) || Object.hasOwn(SENTENCES, text))

/** Parameters that say what was done, and to which object. */
const EFFECT = 'saved'
const OBJECT = 'saved_id'

/** Parameters of the next page's address, for its sentence about what was done. */
export const noticeParameters = (
  effect: SavedEffect,
  id?: number,
): Readonly<Record<string, string>> => ({
  [EFFECT]: effect,
  ...(id !== undefined && { [OBJECT]: String(id) }),
})

/** The address of a page that tells the effect; the path has no query. */
export const withEffect = (path: string, effect: SavedEffect): string =>
  `${path}?${new URLSearchParams(noticeParameters(effect))}`

/** Removes these parameters from a query: the sentence belongs to one page alone. */
export function dropEffect(query: URLSearchParams): void {
  query.delete(EFFECT)
  query.delete(OBJECT)
}

/** The sentence about what the form before this page has done; undefined where none was. */
export async function savedNotice(
  request: ApiRequest,
  model: Model | undefined,
): Promise<Html | undefined> {
  const effect = lastValue(request.search, EFFECT)
  if (!isSavedEffect(effect)) return undefined
  if (isPlain(effect)) return notice(translate(PLAIN_SENTENCES[effect]))
  const link = model && (await linkTo(request, model, Number(lastValue(request.search, OBJECT))))
  if (!model || (NAMING.has(effect) && !link)) return notice(translate(PLAIN_SENTENCES.done))
  return notice(SENTENCES[effect]({ ...wordsOf(model), link: link ?? '' }))
}

const wordsOf = (model: Model) => ({
  kind: shownTitle(model),
  plural: translateLabel(model.definition.labels[1]),
})

const notice = (sentence: Content): Html =>
  html`<p class="notice good" role="status">${sentence}</p>`

async function linkTo(request: ApiRequest, model: Model, id: number): Promise<Content | undefined> {
  if (!Number.isSafeInteger(id) || id <= 0) return undefined
  const object = (await visibleObjects(request, model, [id], ['id', 'display'])).get(id)
  const { basePath } = request.service.settings
  return (
    object &&
    html`<a href="${basePath}${pagePathOf(model)}${id}/"><bdi>${String(object.display)}</bdi></a>`
  )
}

import { type Content, type Html, html } from '../../pages/html.ts'
import { translateMarkup } from '../../pages/translate-markup.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { translate, translateLabel } from '../../texts/translate.ts'
import { type ApiRequest, lastValue } from '../api-request.ts'
import { shownTitle } from './model-title.ts'
import { visibleObjects } from './visible-objects.ts'

/** The effect of a form, as the address of the next page tells it: `?saved=created`. */
export type SavedEffect = 'created' | 'created-all' | 'changed' | 'unchanged' | 'deleted' | 'done'

/** The object that a sentence is about; undefined where the page is a list. */
interface Named {
  readonly kind: string
  readonly plural: string
  readonly link: Content
}

const SENTENCES: Readonly<Record<SavedEffect, (named: Named) => Content>> = {
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
  done: () => translate('The changes were saved.'),
}

const isSavedEffect = (text: string | undefined): text is SavedEffect =>
  text !== undefined && Object.hasOwn(SENTENCES, text)

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

/** The sentence about what the form before this page has done; undefined where none was. */
export async function savedNotice(
  request: ApiRequest,
  model: Model | undefined,
): Promise<Html | undefined> {
  const effect = lastValue(request.search, EFFECT)
  if (!isSavedEffect(effect)) return undefined
  const link = model && (await linkTo(request, model, Number(lastValue(request.search, OBJECT))))
  if (model && link) return notice(SENTENCES[effect]({ ...wordsOf(model), link }))
  const isNamed = effect === 'created' || effect === 'changed' || effect === 'unchanged'
  if (!model || isNamed) return notice(SENTENCES.done({ kind: '', plural: '', link: '' }))
  return notice(SENTENCES[effect]({ ...wordsOf(model), link: '' }))
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

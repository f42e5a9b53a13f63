import type { ApiRequest } from '../../api/api-request.ts'
import type { HttpResponse } from '../../api/response.ts'
import { create } from '../../api/verbs/create.ts'
import { ApiError } from '../../base/errors.ts'
import { changedObjects } from '../../changes/branches/branch-changes.ts'
import { OPEN } from '../../db/branches/branch-database.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { csrfField } from '../components/csrf-field.ts'
import type { FurtherColumns } from '../components/further-columns.ts'
import { shownPlural } from '../components/model-title.ts'
import { EMPTY, linkToObject, timestampDisplay, valueDisplay } from '../components/value.ts'
import { displayOptionsOf } from '../data/display-options.ts'
import { sending } from '../data/inner-request.ts'
import { readList } from '../data/page-objects.ts'
import { textIn } from '../forms/form-texts.ts'
import { mentionsUsers } from '../forms/mentions.ts'
import type { PageObject, RequestedObject } from '../frame/object-content.ts'
import { sentenceOf } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { withEffect } from '../frame/saved-notice.ts'
import { type Content, type Html, html } from '../html.ts'
import { type Text, translate, translateLabel } from '../texts/translate.ts'
import { actionButton, addressOf, conflictCount, mayPerform, problemOf, resolveButton } from './branch-buttons.ts'
import { branchOf } from './net-changes.ts'

/** What a verdict means, by its value. */
const MEANINGS: Readonly<Record<string, Text>> = {
  comment: 'Say something without a decision.',
  approve: 'The changes can be merged.',
  request_changes: 'The changes must not be merged yet.',
}

/** Id of the form, to which the button at the top of the page leads. */
const FORM = 'review'

/** The model of reviews. */
export const reviewModel = ({ service }: ApiRequest): Model => service.registry.model(SYSTEM.changeReview)

/** Whether the change request and its branch are open. */
export const isOpenRequest = ({ branch, status }: JsonObject): boolean =>
  isJsonObject(branch) &&
  branchOf(branch).status === OPEN &&
  isJsonObject(status) &&
  status.value !== 'merged' &&
  status.value !== 'closed'

const mayReview = (request: ApiRequest, object: JsonObject): boolean =>
  isOpenRequest(object) && mayAct(request.actor, 'add', reviewModel(request), request.service.settings)

/** A link to the form, which is below the changes; nothing for users who may not review them. */
const reviewButton = ({ request, model, object }: RequestedObject, isPrimary: boolean): Content =>
  mayReview(request, object) &&
  html`<a class="button${!isPrimary && ' quiet'}" href="${request.service.settings.basePath}${pagePathOf(model)}${Number(object.id)}/changes/#${FORM}">${translate('Review')}</a>`

/**
 * The buttons of a change request, on all its pages. One is loud: the conflicts if there are any, otherwise the merge if
 * it is allowed, or the review.
 */
export async function requestButtons(page: RequestedObject): Promise<Content> {
  const { request, object } = page
  if (!isJsonObject(object.branch) || !isOpenRequest(object)) return undefined
  const branch = branchOf(object.branch)
  const model = request.service.registry.model(SYSTEM.branch)
  const [problem, mayMerge, open] = await Promise.all([
    problemOf(request, branch),
    mayPerform(request, model, branch, 'merge'),
    conflictCount(request, branch),
  ])
  const resolve = open > 0 && (await resolveButton(request, branch))
  const isReady = mayMerge && problem === undefined && open === 0
  const address = `${addressOf({ request, model, object: { id: branch.id } })}merge/`
  return html`${resolve}${reviewButton(page, !isReady && !resolve)}${mayMerge && actionButton(request, 'merge', address, problem, isReady)}`
}

/** The last verdict of each reviewer, in the head of a change request; nothing without any. */
export async function verdictLine({ request, object }: RequestedObject): Promise<Content> {
  const verdict = (await verdictsOn(request, [Number(object.id)])).get(Number(object.id))
  return verdict && html`<p class="verdict-line">${verdict}</p>`
}

/** The last verdicts of the reviewers of these change requests, by the id of the request; only for those that have any. */
async function verdictsOn(request: ApiRequest, ids: readonly number[]): Promise<ReadonlyMap<number, Html>> {
  const model = reviewModel(request)
  if (ids.length === 0 || !mayAct(request.actor, 'view', model, request.service.settings)) return new Map()
  const query = new URLSearchParams(ids.map((id) => ['change_request_id', String(id)] as [string, string]))
  query.set('limit', '0')
  const { objects } = await readList(request, model, { query })
  const verdicts = new Map<number, Map<string, string>>()
  for (const { user, verdict, change_request: reviewed } of objects) {
    if (!isJsonObject(user) || !isJsonObject(verdict) || !isJsonObject(reviewed) || verdict.value === 'comment')
      continue
    const last = verdicts.get(Number(reviewed.id)) ?? new Map<string, string>()
    verdicts.set(Number(reviewed.id), last.set(String(user.display), String(verdict.value)))
  }
  return new Map([...verdicts].map(([id, last]) => [id, verdictBadges(last)]))
}

/** `last`: verdicts by the names of the reviewers. */
function verdictBadges(last: ReadonlyMap<string, string>): Html {
  const namesOf = (value: string): string =>
    [...last].flatMap(([name, verdict]) => (verdict === value ? [name] : [])).join(', ')
  const [approved, refused] = [namesOf('approve'), namesOf('request_changes')]
  return html`${approved !== '' && html`<span class="badge green">${translate('Approved by {names}', { names: approved })}</span> `}${refused !== '' && html`<span class="badge red">${translate('Changes requested by {names}', { names: refused })}</span>`}`
}

/** The columns of change requests with their verdicts and the number of changed objects; undefined for other models. */
export function requestColumns(request: ApiRequest, model: Model): FurtherColumns | undefined {
  if (model.name !== SYSTEM.changeRequest) return undefined
  return {
    fields: ['branch'],
    headings: [shownPlural(reviewModel(request)), translate('Changed objects')],
    after: 'status',
    load: async (objects) => {
      const branches = objects.flatMap(({ branch }) => (isJsonObject(branch) ? [Number(branch.id)] : []))
      const [verdicts, counts] = await Promise.all([
        verdictsOn(
          request,
          objects.map(({ id }) => Number(id)),
        ),
        changedObjects(request.service, branches),
      ])
      return ({ id, branch }) => ({
        cells: [
          verdicts.get(Number(id)) ?? EMPTY,
          isJsonObject(branch) ? html`<span class="num">${counts.get(Number(branch.id)) ?? 0}</span>` : EMPTY,
        ],
      })
    },
  }
}

/** The reviews of a change request, the oldest first. */
export async function reviewList({ request, object }: RequestedObject): Promise<Content> {
  const model = reviewModel(request)
  if (!mayAct(request.actor, 'view', model, request.service.settings)) return undefined
  const query = new URLSearchParams({ change_request_id: String(object.id), limit: '0' })
  const { objects } = await readList(request, model, { query })
  if (objects.length === 0) return html`<p class="muted">${translate('There are no reviews yet.')}</p>`
  const options = await displayOptionsOf(request, [])
  const page = `${options.basePath}${pagePathOf(model)}`
  const verdict = model.fields.get('verdict')
  return html`<ol class="reviews">${objects.map((review): Html => {
    const author = isJsonObject(review.user) && linkToObject(review.user, options)
    const subject =
      review.object_type !== '' &&
      html`<span class="muted">${[options.modelTitle(String(review.object_type)) ?? review.object_type, review.object_id, review.field].filter(Boolean).join(' · ')}</span>`
    return html`<li><p class="entry-head">${valueDisplay(verdict, review.verdict, options)} ${author} <a class="muted" href="${page}${Number(review.id)}/">${timestampDisplay(String(review.created))}</a> ${subject}</p>${review.text !== '' && html`<p class="review-text" dir="auto">${String(review.text)}</p>`}</li>`
  })}</ol>`
}

/** What the sender has entered, and why it was refused. */
interface Refused {
  readonly text: string
  readonly verdict: string
  readonly sentence: string
}

/** The form for a review; nothing for users who may not add one. */
export function reviewForm({ request, object }: RequestedObject, refused: Refused | undefined): Content {
  if (!mayReview(request, object) || request.csrfToken === undefined) return undefined
  const verdict = reviewModel(request).fields.get('verdict')
  if (verdict?.kind !== 'choice') return undefined
  const chosen = refused?.verdict ?? verdict.default
  return html`<form class="card entry" id="${FORM}" method="post" action="${request.url.pathname}#${FORM}">
${csrfField(request.csrfToken)}
<h2>${translate('Your review')}</h2>
${refused && html`<p class="notice bad" role="alert">${translate('Not saved.')} ${refused.sentence}</p>`}
<label>${translateLabel('Comment')} <textarea name="text"${mentionsUsers(request)} rows="4" dir="auto">
${refused?.text ?? ''}</textarea></label>
<fieldset class="verdicts"><legend class="visually-hidden">${translateLabel('verdict')}</legend>${verdict.choices.list.map(
    ({ value, label }) =>
      html`<label><input type="radio" name="verdict" value="${value}"${value === chosen && html` checked`}> <span><strong>${translateLabel(label)}</strong>${meaningOf(String(value))}</span></label>`,
  )}</fieldset>
<div class="buttons"><button>${translate('Submit review')}</button></div>
</form>`
}

function meaningOf(verdict: string): Content {
  const meaning = MEANINGS[verdict]
  return meaning && html` <small>${translate(meaning)}</small>`
}

/** Adds the review that the form contains, then leads to the change request; or the reason why it is refused. */
export async function addReview({ request, model, object }: PageObject): Promise<HttpResponse | Refused> {
  const form = (await request.body.form()) ?? new Map()
  const text = textIn(form, 'text').replaceAll('\r\n', '\n').trim()
  const entered = { text, verdict: textIn(form, 'verdict') }
  if (entered.verdict === 'comment' && text === '')
    return { ...entered, sentence: translate('Write a comment, or choose another verdict.') }
  try {
    await create(sending(request, 'POST', { change_request: object.id, ...entered }), reviewModel(request))
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason.kind !== 'invalid') throw error
    return { ...entered, sentence: sentenceOf(error) }
  }
  const page = `${request.service.settings.basePath}${pagePathOf(model)}${Number(object.id)}/`
  return seeOther(withEffect(page, 'reviewed', request))
}

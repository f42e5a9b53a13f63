import type { ApiRequest } from '../../api/api-request.ts'
import { remove } from '../../api/verbs/remove.ts'
import { ApiError, notFound } from '../../base/errors.ts'
import { requirePermission } from '../../identity/permitted-rows.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { controlField } from '../components/control.ts'
import { csrfField } from '../components/csrf-field.ts'
import { countedNoun, shownNoun, shownPlural } from '../components/model-title.ts'
import { shownName } from '../components/shown-name.ts'
import { linkToObject } from '../components/value.ts'
import { displayOptions } from '../data/display-options.ts'
import { sending } from '../data/inner-request.ts'
import { mayActOn, readOne, visibleObjects } from '../data/page-objects.ts'
import { cascadeList, findCascade } from '../forms/cascade.ts'
import { textIn } from '../forms/form-texts.ts'
import { CHANGE_NOTE, messageControl } from '../forms/message-control.ts'
import { RETURN, returnPath, withParameters } from '../forms/return-path.ts'
import { confirmationControl, needsTyping, typingProblem } from '../forms/typed-confirmation.ts'
import { objectHeading } from '../frame/object-heading.ts'
import { type PageResponse, sentenceOf } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { modelParameter, noticeParameters } from '../frame/saved-notice.ts'
import { type Content, html } from '../html.ts'
import { numeral, translate, translateMarkup } from '../texts/translate.ts'

/** Refusals that the page shows. */
const SHOWN: ReadonlySet<string> = new Set(['inUse', 'invalid'])

/** GET and POST of `…/<id>/delete/`: asks for confirmation, then deletes. */
export async function deletePage(request: ApiRequest, model: Model): Promise<PageResponse> {
  requirePermission(request.actor, 'delete', model, request.service.settings)
  const { object } = await readOne(request, model)
  if (!(await mayActOn(request, 'delete', model, Number(object.id)))) throw notFound(shownNoun(model))
  const { basePath } = request.service.settings
  const page = pagePathOf(model) ?? '/'
  let refusal: string | undefined
  const form = request.method === 'POST' ? await request.body.form() : undefined
  const requested = form ? textIn(form, RETURN) : lastValue(request.search, RETURN)
  const returnTo = returnPath(request, requested)
  const message = form ? textIn(form, CHANGE_NOTE) : ''
  const name = shownName(request.service.registry, object)
  const cascade = await cascadeOf(request, model, Number(object.id))
  const problem = form && cascade.needsTyping ? typingProblem(form, name) : undefined
  if (form && problem === undefined) {
    try {
      await remove(sending(request, 'DELETE', { [CHANGE_NOTE]: message }), model)
      const notice = noticeParameters('deleted', { id: Number(object.id), undo: request })
      if (returnTo !== undefined) {
        return seeOther(withParameters(request, returnTo, { ...notice, ...modelParameter(model) }))
      }
      return seeOther(`${basePath}${page}?${new URLSearchParams(notice)}`)
    } catch (error) {
      if (!(error instanceof ApiError) || !SHOWN.has(error.reason.kind)) throw error
      refusal = sentenceOf(error)
    }
  }
  const note = messageControl(request, model, {
    help: translate('Reason for the deletion (shown in the changelog)'),
    value: message,
  })
  const controls = [
    ...(model.has('changeLogging') ? [note] : []),
    ...(cascade.needsTyping ? [confirmationControl(name, problem)] : []),
  ]
  const cancel = html`<a class="button quiet" href="${returnTo ?? `${basePath}${page}${Number(object.id)}/`}">${translate('Cancel')}</a>`
  return {
    title: translate('Delete {name}', { name }),
    model,
    status: refusal !== undefined ? 409 : problem !== undefined ? 400 : 200,
    styles: ['objects.css'],
    breadcrumbs: [
      { label: shownPlural(model), path: page },
      { label: name, path: `${page}${object.id}/` },
      { label: translate('Delete'), path: `${page}${object.id}/delete/` },
    ],
    body: html`${objectHeading({ request, model, object })}
${
  cascade.obstacle === undefined
    ? html`${refusal !== undefined && html`<p class="notice bad" role="alert">${refusal}</p>`}
<form class="card" method="post" action="${request.url.pathname}">
${csrfField(request.csrfToken)}
${returnTo !== undefined && html`<input type="hidden" name="${RETURN}" value="${returnTo}">`}
<p>${translateMarkup('This deletes {name}.', { name: html`<strong><bdi>${name}</bdi></strong>` })}</p>
${cascade.effects}
${controls.length > 0 && html`<div class="fields">${controls.map((control) => controlField(control, 'delete'))}</div>`}
<div class="buttons"><button class="danger">${translate('Delete {name}', { name })}</button>${cancel}</div>
</form>`
    : html`<section class="card"><div class="notice warn">${cascade.obstacle}</div>
<div class="buttons">${cancel}</div></section>`
}`,
  }
}

/** What a deletion does besides, or the sentence with which it is refused. */
interface Effects {
  readonly effects?: Content
  readonly needsTyping?: boolean
  readonly obstacle?: Content
}

async function cascadeOf(request: ApiRequest, model: Model, id: number): Promise<Effects> {
  try {
    const cascade = await findCascade(request, model, [id])
    return { effects: await cascadeList(request, model, 1, cascade), needsTyping: needsTyping(cascade, 1) }
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason.kind !== 'inUse') throw error
    return { obstacle: await obstacleOf(request, error.reason) }
  }
}

/** Maximum number of objects whose list an address names. */
const MOST_IN_ADDRESS = 100
/** Maximum number of objects of each kind that are named. */
const MOST_NAMED = 5

/** Why the object cannot be deleted, with links to the objects that need it. */
async function obstacleOf(
  request: ApiRequest,
  { detail, referring = new Map(), hasHiddenReferrers = false }: Extract<ApiError['reason'], { kind: 'inUse' }>,
): Promise<Content> {
  const { registry } = request.service
  const listed = [...referring].flatMap(([name, ids]) => {
    const model = registry.model(name)
    const page = pagePathOf(model)
    return page === undefined ? [] : [{ model, ids, page }]
  })
  if (listed.length === 0) return html`<p>${detail}</p>`
  const options = displayOptions(request, new Map())
  const items = await Promise.all(
    listed.map(async ({ model, ids, page }) => {
      const objects = await visibleObjects(request, model, ids.slice(0, MOST_NAMED), ['id', 'url', 'display'])
      const query = new URLSearchParams(ids.map((id) => ['id', String(id)] as [string, string]))
      const count = `${numeral(ids.length)} ${countedNoun(model, ids.length)}`
      const list = ids.length > 1 && ids.length <= MOST_IN_ADDRESS
      return html`<li>${list ? html`<a href="${options.basePath}${page}?${query.toString()}">${count}</a>` : count}: ${[...objects.values()].map((object, index) => html`${index > 0 && ', '}${linkToObject(object, options)}`)}${ids.length > MOST_NAMED && ', …'}</li>`
    }),
  )
  return html`<p>${translate('Unable to delete: other objects depend on it:')}</p><ul>${items}${hasHiddenReferrers && html`<li>${translate('Objects that you may not view')}</li>`}</ul>`
}

import type { ApiRequest } from '../../api/api-request.ts'
import { ID } from '../../api/routes.ts'
import type { Branch } from '../../read/branches/branch-service.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { csrfField } from '../components/csrf-field.ts'
import { shownPlural } from '../components/model-title.ts'
import { panel } from '../components/panel.ts'
import { timestampDisplay } from '../components/value.ts'
import { askApi, jsonOf } from '../data/ask-api.ts'
import { readOne, visibleIds } from '../data/page-objects.ts'
import type { ObjectPart } from '../frame/object-content.ts'
import { seeOther } from '../frame/page-response.ts'
import { withEffect } from '../frame/saved-notice.ts'
import { type Html, html } from '../html.ts'
import { translate, translateLabel } from '../texts/translate.ts'
import { addressOf, problemOf } from './branch-buttons.ts'
import { changesByType } from './changes-tab.ts'
import { branchOf, countText, type NetChanges, netChanges } from './net-changes.ts'
import { isOpenRequest, requestButtons, reviewList, reviewModel, verdictLine } from './reviews.ts'

/** Changed objects whose fields are on the first page of a request. */
const FIRST = 12

/**
 * Part of a change request's page: the first differences, its reviews, the merge of its branch, or why it is not allowed, and the checks with
 * their results.
 */
export const changeRequestPart: ObjectPart = {
  models: [SYSTEM.changeRequest],
  pages: (routes) => [
    [
      `${ID}/checks/`,
      'GET POST',
      async (request, model) => {
        const { object } = await readOne(request, model)
        const path = `${model.path}/${Number(object.id)}/checks/`
        if (request.method === 'POST') await askApi(routes, request, { path, method: 'POST', body: {} })
        const address = addressOf({ request, model, object })
        return seeOther(request.method === 'POST' ? withEffect(address, 'queued') : address)
      },
    ],
  ],
  load: async (page) => {
    const { request, model, object, routes } = page
    const { csrfToken } = request
    const reviews = panel(shownPlural(reviewModel(request)), await reviewList(page))
    const verdict = await verdictLine(page)
    if (!isJsonObject(object.branch) || !isOpenRequest(object))
      return { top: verdict, right: reviews, styles: ['branches.css'] }
    const branch = branchOf(object.branch)
    const [problem, buttons, changes, document] = await Promise.all([
      problemOf(request, branch),
      requestButtons(page),
      visibleChanges(request, branch),
      askApi(routes, request, { path: `${model.path}/${Number(object.id)}/checks/` }).then(jsonOf, () => undefined),
    ])
    const first = changes?.visible.slice(0, FIRST) ?? []
    const differences = await changesByType(request, branch, object.branch, first, 0)
    const more = (changes?.visible.length ?? 0) - first.length
    const results = isJsonObject(document) && Array.isArray(document.results) ? document.results : []
    const checks = results.filter((result) => isJsonObject(result))
    const path = addressOf({ request, model, object })
    return {
      actions: html`${buttons}${
        checks.length > 0 &&
        csrfToken !== undefined &&
        html`<form class="inline" method="post" action="${path}checks/">${csrfField(csrfToken)}<button class="quiet">${translate('Run the checks')}</button></form>`
      }`,
      top: verdict,
      left: html`${problem !== undefined && html`<p class="notice warn">${problem}</p>`}${
        changes &&
        html`<p><a href="${path}changes/">${countText(changes)}</a></p>${differences}${
          more > 0 && html`<p><a href="${path}changes/">${translate('and {count} more', { count: more })}</a></p>`
        }`
      }`,
      right: html`${reviews}${
        checks.length > 0 &&
        panel(translate('Checks'), html`<ul>${checks.map((check) => checkRow(request, check))}</ul>`)
      }`,
      styles: ['branches.css'],
    }
  },
}

/** The changes of the branch, for users who may view it. */
async function visibleChanges(request: ApiRequest, branch: Branch): Promise<NetChanges | undefined> {
  const ids = await visibleIds(request, request.service.registry.model(SYSTEM.branch), [branch.id])
  return ids.length > 0 ? await netChanges(request, branch) : undefined
}

/** The name of a check with the state of its latest job. */
function checkRow({ service: { registry, settings } }: ApiRequest, { script, job }: JsonObject): Html {
  const name = isJsonObject(script) ? String(script.name) : ''
  if (!isJsonObject(job)) return html`<li><bdi>${name}</bdi>: ${translate('has not run yet')}</li>`
  const field = registry.model(SYSTEM.job).fields.get('status')
  const list = field && 'choices' in field ? (field.choices?.list ?? []) : []
  const status = list.find(({ value }) => value === job.status)
  const address = `${settings.basePath}${pagePathOf(registry.model(SYSTEM.job))}${Number(job.id)}/`
  return html`<li><bdi>${name}</bdi>: <a href="${address}">${translateLabel(status?.label ?? String(job.status))}</a>${job.started !== null && html` ${timestampDisplay(String(job.started))}`}</li>`
}

import type { ApiRequest } from '../../api/api-request.ts'
import { ID } from '../../api/routes.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { csrfField } from '../components/csrf-field.ts'
import { shownPlural } from '../components/model-title.ts'
import { panel } from '../components/panel.ts'
import { timestampDisplay } from '../components/value.ts'
import { askApi, jsonOf } from '../data/ask-api.ts'
import { readOne } from '../data/page-objects.ts'
import type { ObjectPart } from '../frame/object-content.ts'
import { seeOther } from '../frame/page-response.ts'
import { withEffect } from '../frame/saved-notice.ts'
import { type Html, html } from '../html.ts'
import { translate, translateLabel } from '../texts/translate.ts'
import { actionButton, addressOf, mayPerform, problemOf } from './branch-buttons.ts'
import { branchOf } from './net-changes.ts'
import { isOpenRequest, reviewButton, reviewList, reviewModel, verdictLine } from './reviews.ts'

/**
 * Part of a change request's page: its reviews, the merge of its branch, or why it is not allowed, and the checks with
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
    const { service, csrfToken } = request
    const reviews = panel(shownPlural(reviewModel(request)), await reviewList(page))
    const verdict = await verdictLine(page)
    if (!isJsonObject(object.branch) || !isOpenRequest(object))
      return { top: verdict, right: reviews, styles: ['branches.css'] }
    const branch = branchOf(object.branch)
    const branchModel = service.registry.model(SYSTEM.branch)
    const address = addressOf({ request, model: branchModel, object: { id: branch.id } })
    const [problem, mayMerge, document] = await Promise.all([
      problemOf(request, branch),
      mayPerform(request, branchModel, branch, 'merge'),
      askApi(routes, request, { path: `${model.path}/${Number(object.id)}/checks/` }).then(jsonOf, () => undefined),
    ])
    const results = isJsonObject(document) && Array.isArray(document.results) ? document.results : []
    const checks = results.filter((result) => isJsonObject(result))
    const checksPath = `${addressOf({ request, model, object })}checks/`
    return {
      actions: html`${reviewButton(page)}${mayMerge && actionButton(request, 'merge', `${address}merge/`, problem)}${
        checks.length > 0 &&
        csrfToken !== undefined &&
        html`<form class="inline" method="post" action="${checksPath}">${csrfField(csrfToken)}<button class="quiet">${translate('Run the checks')}</button></form>`
      }`,
      top: verdict,
      left: html`${problem !== undefined && html`<p class="notice warn">${problem}</p>`}`,
      right: html`${reviews}${
        checks.length > 0 &&
        panel(translate('Checks'), html`<ul>${checks.map((check) => checkRow(request, check))}</ul>`)
      }`,
      styles: ['branches.css'],
    }
  },
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

import { isJsonObject } from '../../schema/json.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { RequestedObject } from '../frame/object-content.ts'
import { type Content, html } from '../html.ts'
import { actionButton, addressOf, mayPerform, problemOf } from './branch-buttons.ts'
import { branchOf } from './net-changes.ts'
import { isOpenRequest, reviewButton } from './reviews.ts'

/** The buttons of a change request, on all its pages. One is loud: the merge if it is allowed, otherwise the review. */
export async function requestButtons(page: RequestedObject): Promise<Content> {
  const { request, object } = page
  if (!isJsonObject(object.branch) || !isOpenRequest(object)) return undefined
  const branch = branchOf(object.branch)
  const model = request.service.registry.model(SYSTEM.branch)
  const [problem, mayMerge] = await Promise.all([
    problemOf(request, branch),
    mayPerform(request, model, branch, 'merge'),
  ])
  const isReady = mayMerge && problem === undefined
  const address = `${addressOf({ request, model, object: { id: branch.id } })}merge/`
  return html`${reviewButton(page, !isReady)}${mayMerge && actionButton(request, 'merge', address, problem, isReady)}`
}

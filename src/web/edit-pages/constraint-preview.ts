import type { ApiRequest } from '../../api/api-request.ts'
import type { Constraint } from '../../config/default-permissions.ts'
import { misfitOf, satisfiesConstraint } from '../../identity/constraint.ts'
import { mayAct, rowSecurityOf } from '../../identity/permitted-rows.ts'
import { requireUser } from '../../identity/require-user.ts'
import { groupResolver } from '../../read/groups/constraints.ts'
import { cachedNumbers } from '../../read/query/cached-column.ts'
import { compileOrder } from '../../read/query/order.ts'
import { countStatement, sliceStatement } from '../../read/query/slice.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { join, sql } from '../../sql/fragment.ts'
import { shownPlural } from '../components/model-title.ts'
import { problemSentence } from '../forms/constraint-problems.ts'
import { choicesOf } from '../forms/find-choices.ts'
import type { FormTexts } from '../forms/form-texts.ts'
import type { Content, Html } from '../html.ts'
import { html } from '../html.ts'
import { translate } from '../texts/translate.ts'

/** Maximum number of object types in a preview, and of objects named for each. */
const MOST_TYPES = 30
const MOST_NAMED = 5

/** How many and which objects the constraints of a permission select, by object type, of those that the sender may view. */
export async function constraintPreview(request: ApiRequest, texts: FormTexts): Promise<Html> {
  const constraints = parseConstraints(texts.get('constraints')?.[0] ?? '')
  if (!constraints)
    return html`<p>${translate('Constraints must be a JSON object of conditions, or a list of such objects.')}</p>`
  const { registry } = request.service
  const names = (texts.get('object_types') ?? []).slice(0, MOST_TYPES)
  const models = names.flatMap((name) => registry.models.get(name) ?? [])
  if (models.length === 0) return html`<p>${translate('Choose object types first.')}</p>`
  const { id: user } = requireUser(request)
  const resolve = await groupResolver(request.service.database, registry, constraints, user)
  const rows = await Promise.all(models.map((model) => matchesOf(request, model, constraints.map(resolve))))
  return html`<ul>${rows.map((row) => html`<li>${row}</li>`)}</ul>`
}

/** The alternatives; an empty list of conditions selects all objects. */
function parseConstraints(text: string): readonly JsonObject[] | undefined {
  if (text.trim() === '') return []
  try {
    const value: unknown = JSON.parse(text)
    const list = value === null ? [] : [value].flat()
    return list.every(isJsonObject) ? list : undefined
  } catch {
    return undefined
  }
}

async function matchesOf(request: ApiRequest, model: Model, constraints: readonly Constraint[]): Promise<Content> {
  const { service, actor } = request
  const title = shownPlural(model)
  if (!mayAct(actor, 'view', model, service.settings)) {
    return html`<strong>${title}</strong>: ${translate('you may not view these objects.')}`
  }
  const misfit = constraints.map((constraint) => misfitOf(model, constraint)).find(Boolean)
  if (misfit) {
    const sentence = problemSentence(model, { complaint: misfit.message, unknown: misfit.unknown })
    return html`<strong>${title}</strong>: ${translate('no objects.')} ${sentence}`
  }
  const security = rowSecurityOf(actor, service.registry, service.settings)
  const { id: user } = requireUser(request)
  const alternatives = constraints.map((constraint) => satisfiesConstraint(model, constraint, user))
  const where = alternatives.length === 0 ? undefined : sql`(${join(alternatives, ' or ')})`
  const order = compileOrder(service, model, undefined, security.visibleRows)
  const window = { limit: MOST_NAMED, offset: 0 }
  const [[count = 0], ids] = await Promise.all([
    cachedNumbers(service, countStatement(model, { where, security })),
    cachedNumbers(service, sliceStatement(model, { where, security, order, window })),
  ])
  const page = `${service.settings.basePath}${pagePathOf(model)}`
  const named = (await choicesOf(request, model, ids)).map(
    ({ id, display, context }) =>
      html`<li><a href="${page}${id}/"><bdi>${display}</bdi></a>${context !== '' && html` · <bdi>${context}</bdi>`}</li>`,
  )
  const more = Number(count) - named.length
  return html`<strong>${title}</strong>: ${translate('{count} object|{count} objects', { count: Number(count) })}<ul>${named}${more > 0 && html`<li>${translate('and {count} more', { count: more })}</li>`}</ul>`
}

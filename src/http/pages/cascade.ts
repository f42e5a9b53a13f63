import { mayAct } from '../../auth/permitted-rows.ts'
import { requireUser } from '../../auth/require-user.ts'
import { type Content, html } from '../../pages/html.ts'
import { numeral } from '../../pages/pager.ts'
import { pluralTitleOf, titleOf } from '../../schema/class-name.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { type Dependents, findDependents } from '../../write/find-dependents.ts'
import { runWrite } from '../../write/run.ts'
import type { ApiRequest } from '../api-request.ts'
import { writeRequestOf } from '../verbs/write-request.ts'

/** The objects that a deletion deletes along with these, or changes. Throws `inUse` where others protect them. */
export const findCascade = async (
  request: ApiRequest,
  model: Model,
  ids: readonly number[],
): Promise<Dependents> =>
  await runWrite(
    request.service,
    writeRequestOf(request, requireUser(request)),
    // Reads only: the transaction shows the same rows that a deletion would.
    (context) => findDependents(context, model, ids),
  )

/** The model's title for so many objects. */
export const countedName = (model: Model, count: number): string =>
  count === 1 ? titleOf(model) : pluralTitleOf(model)

/** The effects of a deletion on other objects, by model. `count`: number of the objects that are deleted themselves. */
export function cascadeView(
  request: ApiRequest,
  model: Model,
  count: number,
  { deleted, emptied, unlinked }: Dependents,
): Content {
  const counts = [...deleted].map(([each, list]) => {
    return [each, each === model ? list.size - count : list.size] as const
  })
  const changed = Map.groupBy([...emptied, ...unlinked], ({ referrer }) => referrer.model)
  const changes = [...changed].map(
    ([each, list]) => [each, new Set(list.map(({ id }) => id)).size] as const,
  )
  return html`<section class="card"><h2>What happens</h2>
<p>${numeral(count)} ${countedName(model, count)} will be deleted. This cannot be undone.</p>
${countList(request, 'These depend on them and will be deleted too:', counts)}
${countList(request, 'These refer to them and lose the reference:', changes)}</section>`
}

/** Numbers of objects by model; of models that the sender may not view only their sum. */
function countList(
  { actor, service }: ApiRequest,
  heading: string,
  counts: readonly (readonly [Model, number])[],
): Content {
  const { settings } = service
  const some = counts.filter(([, count]) => count > 0)
  if (some.length === 0) return undefined
  const isShown = (model: Model) =>
    pagePathOf(model) !== undefined && mayAct(actor, 'view', model, settings)
  const hidden = some
    .filter(([model]) => !isShown(model))
    .reduce((sum, [, count]) => sum + count, 0)
  return html`<p>${heading}</p><ul>${some
    .filter(([model]) => isShown(model))
    .map(
      ([model, count]) => html`<li>${numeral(count)} ${countedName(model, count)}</li>`,
    )}${hidden > 0 && html`<li>${numeral(hidden)} other ${hidden === 1 ? 'record' : 'records'}</li>`}</ul>`
}

import type { ApiRequest } from '../../api/api-request.ts'
import { requireUser } from '../../identity/require-user.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { usesOfDeleted } from '../../write/field-names/field-uses.ts'
import { type Dependents, findDependents, type RowIds } from '../../write/remove/find-dependents.ts'
import { findLostData, type LostData } from '../../write/remove/lost-data.ts'
import { runWrite } from '../../write/run.ts'
import { writeRequestOf } from '../../write/write-request.ts'
import { countedNoun } from '../components/model-title.ts'
import { visibleIds } from '../data/page-objects.ts'
import { type Content, html } from '../html.ts'
import { numeral, translate } from '../texts/translate.ts'

/** All effects of a deletion. */
export interface Cascade extends Dependents {
  /** What goes with deleted types, fields and tags. */
  readonly lost: LostData
  /** Objects that name deleted fields and types, by model. */
  readonly uses: RowIds
}

/** The objects that are deleted or changed together with these. Throws `inUse` if other objects protect them. */
export const findCascade = async (request: ApiRequest, model: Model, ids: readonly number[]): Promise<Cascade> =>
  await runWrite(
    request.service,
    writeRequestOf(request, requireUser(request)),
    // Reads only: the transaction shows the same rows that a deletion would.
    async (context) => {
      const dependents = await findDependents(context, new Map([[model, new Set(ids)]]))
      const lost = await findLostData(context, dependents.deleted)
      return { ...dependents, lost, uses: await usesOfDeleted(context, dependents.deleted, lost) }
    },
  )

const UNDONE_BY_LOG = '{count} {objects} will be deleted. You can undo this from the change log.'
const NOT_UNDONE = '{count} {objects} will be deleted. This cannot be undone.'

/** The effects of a deletion on other objects, by model. `count`: number of the objects to delete themselves. */
export async function cascadeList(
  request: ApiRequest,
  model: Model,
  count: number,
  { deleted, emptied, unlinked, lost, uses }: Cascade,
): Promise<Content> {
  const changed = Map.groupBy([...emptied, ...unlinked], ({ referrer }) => referrer.model)
  const changes = [...changed].map(([changedModel, list]) => [changedModel, new Set(list.map(({ id }) => id))] as const)
  // The objects themselves are included in those of their model.
  const [gone, losing, naming] = await Promise.all([
    countList(request, [...deleted], (candidate) => (candidate === model ? count : 0)),
    countList(request, changes, () => 0),
    countList(request, [...uses], () => 0),
  ])
  return html`<section class="card"><h2>${translate('What happens')}</h2>
${lossesOf(lost)}
<p>${translate(model.has('changeLogging') ? UNDONE_BY_LOG : NOT_UNDONE, { count, objects: countedNoun(model, count) })}</p>
${gone && html`<p>${translate('These depend on them and will be deleted too:')}</p>${gone}`}
${losing && html`<p>${translate('These refer to them and lose the reference:')}</p>${losing}`}
${naming && html`<p>${translate('These name what is deleted. Change them, or they no longer work:')}</p>${naming}`}</section>`
}

const OBJECTS_GO = '{count} {objects} will be deleted.'
const VALUES_GO =
  '{count} {objects} will lose its value of “{name}”.|{count} {objects} will lose their value of “{name}”.'
const TAGS_GO = '{count} {objects} will lose the tag “{name}”.'

/** Objects of deleted types and values of deleted fields. They are counted in full: what is hidden is lost as well. */
function lossesOf({ objects, values }: LostData): Content {
  const sentences = [
    ...[...objects].flatMap(([model, { size: count }]) =>
      count === 0 ? [] : [translate(OBJECTS_GO, { count, objects: countedNoun(model, count) })],
    ),
    ...values.map(({ model, ids: { length: count }, field, label: name }) =>
      translate(field === 'tags' ? TAGS_GO : VALUES_GO, { count, objects: countedNoun(model, count), name }),
    ),
  ]
  return (
    sentences.length > 0 &&
    html`<div class="notice bad">${sentences.map((sentence) => html`<p><strong>${sentence}</strong></p>`)}</div>`
  )
}

/** Numbers of objects by model. For objects that the sender may not view, it only says that there are some. */
async function countList(
  request: ApiRequest,
  idsByModel: readonly (readonly [Model, ReadonlySet<number>])[],
  besides: (model: Model) => number,
): Promise<Content> {
  const counts = await Promise.all(
    // Models without pages, such as the assignments of tags, are parts of the objects.
    idsByModel
      .filter(([model]) => pagePathOf(model) !== undefined)
      .map(async ([model, ids]) => {
        const visible = await visibleIds(request, model, [...ids])
        const count = Math.max(0, visible.length - besides(model))
        return { model, count, hasHidden: ids.size > Math.max(visible.length, besides(model)) }
      }),
  )
  const listed = counts.filter(({ count }) => count > 0)
  const hasHidden = counts.some((count) => count.hasHidden)
  if (listed.length === 0 && !hasHidden) return undefined
  return html`<ul>${listed.map(
    ({ model, count }) => html`<li>${numeral(count)} ${countedNoun(model, count)}</li>`,
  )}${hasHidden && html`<li>${listed.length > 0 ? translate('and other records that are not listed here') : translate('Other records that are not listed here')}</li>`}</ul>`
}

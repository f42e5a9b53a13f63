import type { ApiRequest } from '../../api/api-request.ts'
import { branchChanges } from '../../changes/branches/branch-changes.ts'
import { type ChangeSummary, changeSummary } from '../../changes/records/change-text.ts'
import { hasSameValue, type RecordedChange } from '../../changes/records/recorded-change.ts'
import { visiblePartsOf } from '../../changes/records/visible-changes.ts'
import { type Branch, branchService } from '../../read/branches/branch-service.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { contextsOfObjects } from '../data/object-names.ts'
import { type Content, html } from '../html.ts'
import { translate } from '../texts/translate.ts'

/** The total effect of a branch on an object. */
export interface NetChange {
  readonly type: string
  readonly id: number
  readonly name: string
  readonly action: RecordedChange['action']
  /** The fields that differ, before the first and after the last change. */
  readonly fields: ChangeSummary['changes']
}

/** The changes of a branch that its reader may see. */
export interface NetChanges {
  readonly visible: readonly NetChange[]
  /** Number of further objects, which the reader may not view. */
  readonly hidden: number
}

/** The branch with this JSON of the API. */
export const branchOf = ({ id, name, schema_id: schemaId, status, last_sync: lastSync }: JsonObject): Branch => ({
  id: Number(id),
  name: String(name),
  schemaId: String(schemaId ?? ''),
  status: String(isJsonObject(status) ? status.value : status),
  lastSync: typeof lastSync === 'string' ? lastSync : null,
})

/**
 * Everything that the branch has created, changed and deleted: one entry for each object, without objects that end up
 * unchanged.
 */
export async function netChanges({ service, actor, base }: ApiRequest, branch: Branch): Promise<NetChanges> {
  const inBranch = branchService(service, branch)
  const changes = await branchChanges(inBranch.database, inBranch.registry, branch.id)
  const partsOf = await visiblePartsOf(inBranch, actor, changes)
  const visible: NetChange[] = []
  let hidden = 0
  for (const records of Map.groupBy(changes, ({ type, object_id: id }) => `${type} ${id}`).values()) {
    const summaries = records.flatMap((record) => {
      const parts = partsOf(record)
      return parts.before || parts.after ? [changeSummary(record, base, parts)] : []
    })
    if (summaries.length === 0) hidden += 1
    visible.push(...netChange(summaries))
  }
  return { visible, hidden }
}

/** The effect of the changes of one object; none if it ends up unchanged. */
function netChange(summaries: readonly ChangeSummary[]): readonly NetChange[] {
  const [first, last] = [summaries[0], summaries.at(-1)]
  if (!first || !last) return []
  const [isNew, isGone] = [first.action === 'create', last.action === 'delete']
  if (isNew && isGone) return []
  const fields = new Map<string, ChangeSummary['changes'][string]>()
  for (const { changes } of summaries) {
    for (const [name, { before, after }] of Object.entries(changes)) {
      fields.set(name, { before: fields.get(name)?.before ?? before, after })
    }
  }
  const different = [...fields].filter(([, { before, after }]) => !hasSameValue(before, after))
  if (!isNew && !isGone && different.length === 0) return []
  const name = summaries.findLast(({ object_repr: name }) => name !== '')?.object_repr ?? ''
  const action = isNew ? 'create' : isGone ? 'delete' : 'update'
  return [{ type: last.object_type, id: last.object_id, name, action, fields: Object.fromEntries(different) }]
}

/** Numbers of the objects by action, in words. */
export function countText({ visible }: NetChanges): string {
  const count = (action: RecordedChange['action']): number =>
    visible.filter((change) => change.action === action).length
  return translate('{created} created, {changed} changed, {deleted} deleted', {
    created: count('create'),
    changed: count('update'),
    deleted: count('delete'),
  })
}

/** Changed objects that a page names. */
const NAMED = 12

/** The names of the first changed objects, with their contexts. */
export async function changedNames(request: ApiRequest, branch: Branch, { visible }: NetChanges): Promise<Content> {
  const more = visible.length - NAMED
  const named = visible.slice(0, NAMED)
  const contextOf = await contextsOfChanges(request, branch, named)
  return (
    named.length > 0 &&
    html`<ul class="plain">${named.map((change) => html`<li><bdi>${change.name}</bdi>${contextOf(change)}</li>`)}${more > 0 && html`<li class="muted">${translate('and {count} more', { count: more })}</li>`}</ul>`
  )
}

/** What distinguishes changed objects of the same name: the device of an interface. Those deleted are read from main. */
export async function contextsOfChanges(
  request: ApiRequest,
  branch: Branch,
  changes: readonly NetChange[],
): Promise<(change: NetChange) => Content> {
  const inBranch = { ...request, service: branchService(request.service, branch) }
  const isDeleted = ({ action }: NetChange): boolean => action === 'delete'
  const [ofMain, ofBranch] = await Promise.all([
    contextsOfObjects(request, changes.filter(isDeleted)),
    contextsOfObjects(
      inBranch,
      changes.filter((change) => !isDeleted(change)),
    ),
  ])
  return (change) => {
    const context = isDeleted(change) ? ofMain(change) : ofBranch(change)
    return context && html` <small class="context"><bdi>${context}</bdi></small>`
  }
}

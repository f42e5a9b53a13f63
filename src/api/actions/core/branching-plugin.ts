import { notFound } from '../../../base/errors.ts'
import { branchChanges } from '../../../changes/branches/branch-changes.ts'
import { comparedConflicts, isOpen } from '../../../changes/branches/merge.ts'
import { changeSummary } from '../../../changes/records/change-text.ts'
import { selectChanges } from '../../../changes/records/recorded-change.ts'
import { permittedChanges, visiblePartsOf } from '../../../changes/records/visible-changes.ts'
import { dataOf } from '../../../changes/stream/change-row.ts'
import { OPEN } from '../../../db/branches/branch-database.ts'
import { branchedModels } from '../../../db/branches/branch-tables.ts'
import { permittedRows } from '../../../identity/permitted-rows.ts'
import { type Branch, branchService } from '../../../read/branches/branch-service.ts'
import { type Json, parseJson } from '../../../schema/json.ts'
import { SYSTEM } from '../../../schema/system-models.ts'
import { mainOf } from '../../../service.ts'
import { empty, type Sql, sql } from '../../../sql/fragment.ts'
import { table } from '../../../sql/table.ts'
import type { ApiRequest } from '../../api-request.ts'
import { type HttpResponse, jsonResponse } from '../../response.ts'
import type { Action } from '../action.ts'
import { listResponse, PAGE_PARAMETERS, pageOf } from '../list-response.ts'

/*
 * Lists of the branching plug-in, read-only, with the names that its clients know: pynetbox 7.8
 * (pynetbox.extensions.BranchingExtension) and the documentation of its models.
 */

const ROOT = 'plugins/branching'
const ACTIONS = { create: 'Created', update: 'Updated', delete: 'Deleted' } as const

/** The branches that the sender may view and `branch_id` names; in a branch, only that branch. */
async function branchesOf({ actor, service, search }: ApiRequest): Promise<readonly Branch[]> {
  const { database, registry, settings } = mainOf(service)
  const permitted = permittedRows(actor, 'view', registry.model(SYSTEM.branch), settings)
  const rows = await database.query<Branch & Record<string, unknown>>(sql`
    select t.id, t.name, coalesce(t.schema_id, '') as "schemaId", t.status, t.last_sync as "lastSync" from ${table(SYSTEM.branch)} t
    where true${permitted === 'all' ? empty : sql` and ${permitted}`} order by t.id`)
  const isMeant = filterOf(search)
  return rows.filter(({ id }) => isMeant({ branch_id: id }) && (service.branch?.id ?? id) === id)
}

/** Whether at least one parameter of each of these names, if there are any, has the value. */
const filterOf =
  (search: URLSearchParams) =>
  (values: Readonly<Record<string, string | number>>): boolean =>
    Object.entries(values).every(([name, value]) => !search.has(name) || search.getAll(name).includes(String(value)))

const briefBranch = ({ base }: ApiRequest, { id, name }: Branch) => ({
  ...{ id, url: `${base}/api/${ROOT}/branches/${id}/`, display: name, name },
})

/** Condition on the change records `t` of the object of this one. */
const ofObjectOf = (id: number): Sql => sql`(t.changed_object_type, t.changed_object_id) in (
  select o.changed_object_type, o.changed_object_id from ${table(SYSTEM.objectChange)} o where o.id = ${id}::bigint)`

/**
 * What the branch has changed, one entry for each object that the sender may view. `only`: a condition on change
 * records.
 */
async function changesIn(request: ApiRequest, branch: Branch, only?: Sql) {
  const { actor, base } = request
  const main = mainOf(request.service)
  const inBranch = branchService(main, branch)
  const changes = await branchChanges(inBranch.database, inBranch.registry, branch.id, only)
  if (changes.length === 0) return []
  const partsOf = await visiblePartsOf(inBranch, actor, changes)
  const current = await currentData(request, [...new Set(changes.map(({ object_id: id }) => id))])
  const conflicts = branch.status === OPEN ? (await comparedConflicts(main, branch.id)).filter(isOpen) : []
  return [...Map.groupBy(changes, ({ type, object_id: id }) => `${type} ${id}`)].flatMap(([key, records]) => {
    const visible = records.filter((record) => partsOf(record).before || partsOf(record).after)
    const [first, last] = [visible[0], visible.at(-1)]
    if (!first || !last) return []
    const [isNew, isGone] = [first.action === 'create', last.action === 'delete']
    if (isNew && isGone) return []
    const action = isNew ? 'create' : isGone ? 'delete' : 'update'
    const { object_repr: name } = changeSummary(last, base, partsOf(last))
    const original = partsOf(first).before ? valuesOf(first.before) : null
    const modified = partsOf(last).after ? valuesOf(last.after) : null
    const now = current.has(key) ? (current.get(key) ?? null) : original
    const fields = conflicts.flatMap((conflict) =>
      `${conflict.type} ${conflict.id}` === key ? [conflict.field ?? 'id'] : [],
    )
    return [
      {
        id: last.id,
        url: `${base}/api/${ROOT}/changes/${last.id}/`,
        display: name,
        branch: briefBranch(request, branch),
        object_type: last.type,
        object_id: last.object_id,
        object_repr: name,
        action: { value: action, label: ACTIONS[action] },
        conflicts: fields.length > 0 ? fields : null,
        diff: {
          original: differing(original, modified),
          modified: differing(modified, original),
          current: differing(now, modified),
        },
        ...{ original_data: original, modified_data: modified, current_data: now, last_updated: last.time },
      },
    ]
  })
}

type Data = Readonly<Record<string, Json>> | null

// The data of change records are objects.
const valuesOf = (text: string | null): Data => {
  const data = dataOf(text)
  return data === undefined ? null : (parseJson(data) as Data)
}

/** The values that differ from those of the other object. */
const differing = (values: Data, compared: Data): Data =>
  values &&
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(compared?.[name])),
  )

/** Main's objects with these ids as in their latest change records, if the sender may view them; by type and id. */
async function currentData({ actor, service }: ApiRequest, ids: readonly number[]): Promise<ReadonlyMap<string, Data>> {
  const main = mainOf(service)
  const records = await selectChanges(
    main.database,
    sql`t.changed_object_id = any(${ids}::bigint[]) and t.id in (
      select max(l.id) from ${table(SYSTEM.objectChange)} l where l.changed_object_id = any(${ids}::bigint[])
      group by l.changed_object_type, l.changed_object_id)`,
    sql`t.id`,
  )
  const partsOf = await visiblePartsOf(main, actor, records)
  return new Map(
    records.map((record) => [
      `${record.type} ${record.object_id}`,
      partsOf(record).after ? valuesOf(record.after) : null,
    ]),
  )
}

async function allChanges(request: ApiRequest, only?: Sql) {
  const lists = []
  for (const branch of await branchesOf(request)) lists.push(await changesIn(request, branch, only))
  return lists.flat()
}

async function listChanges(request: ApiRequest): Promise<HttpResponse> {
  const isMeant = filterOf(request.search)
  const entries = (await allChanges(request)).filter(({ id, object_type, object_id, action, conflicts }) =>
    isMeant({ id, object_type, object_id, action: action.value, has_conflicts: String(conflicts !== null) }),
  )
  return listResponse(request, entries, (entry) => JSON.stringify(entry))
}

async function showChange(request: ApiRequest): Promise<HttpResponse> {
  const [text = ''] = request.parameters
  const entries = /^\d{1,15}$/.test(text) ? await allChanges(request, ofObjectOf(Number(text))) : []
  const entry = entries.find(({ id }) => String(id) === text)
  if (!entry) throw notFound('change')
  return jsonResponse(200, entry)
}

/** A state of a branch, as in its change records. */
interface State {
  readonly status?: string
  readonly last_sync?: string | null
}

/** GET: the events of branches, derived from their change records. */
async function listEvents(request: ApiRequest): Promise<HttpResponse> {
  const { base } = request
  const branches = new Map((await branchesOf(request)).map((branch) => [branch.id, branch]))
  const main = mainOf(request.service)
  const records = await selectChanges(
    main.database,
    sql`${permittedChanges(main, request.actor)} and t.changed_object_type = ${SYSTEM.branch} and t.changed_object_id = any(${[...branches.keys()]}::bigint[])`,
    sql`t.id`,
  )
  const events = records.flatMap(({ id, object_id, user_id, user_name, time, before, after }) => {
    const branch = branches.get(object_id)
    const type = eventOf(valuesOf(before) as State | null, valuesOf(after) as State | null)
    if (!branch || !type) return []
    const user =
      user_id === null
        ? null
        : { id: user_id, url: `${base}/api/users/users/${user_id}/`, display: user_name, username: user_name }
    const label = `${type[0]?.toUpperCase()}${type.slice(1)}`
    return [
      {
        ...{ id, url: `${base}/api/${ROOT}/branch-events/?id=${id}`, display: `${branch.name}: ${label}`, time },
        ...{ branch: briefBranch(request, branch), user, type: { value: type, label } },
      },
    ]
  })
  const isMeant = filterOf(request.search)
  const entries = events.filter(({ id, type }) => isMeant({ id, type: type.value }))
  return listResponse(request, entries, (entry) => JSON.stringify(entry))
}

function eventOf(before: State | null, after: State | null): string | undefined {
  if (!after) return undefined
  if (!before) return 'provisioned'
  if (before.status !== after.status) return after.status === OPEN ? 'reverted' : after.status
  return before.last_sync !== after.last_sync ? 'synced' : undefined
}

/** GET: the models whose objects branches can change, if the API has them. */
async function listModels(request: ApiRequest): Promise<HttpResponse> {
  const { registry } = request.service
  const models = [...registry.models.values()].filter(
    ({ name, path }) => path !== '' && branchedModels(registry).has(name),
  )
  return listResponse(request, models, ({ name, definition }) => {
    const [app, model] = name.split('.')
    const [singular, plural] = definition.labels
    return JSON.stringify({ app_label: app, model, verbose_name: singular, verbose_name_plural: plural })
  })
}

const list = (
  path: string,
  summary: string,
  handle: (request: ApiRequest) => Promise<HttpResponse>,
  filters: readonly string[] = [],
): Action => ({
  path: `${ROOT}/${path}`,
  title: 'Branch',
  hasNoHistory: true,
  methods: {
    GET: {
      permission: { view: SYSTEM.branch },
      summary,
      verb: 'list',
      parameters: [
        ...PAGE_PARAMETERS,
        ...filters.map((name) => ({
          in: 'query',
          name,
          schema: { type: 'array', items: { type: name.endsWith('id') ? 'integer' : 'string' } },
        })),
      ],
      answer: pageOf({ type: 'object', additionalProperties: {} }),
      handle,
    },
  },
})

/** The lists of the branching plug-in. */
export const branchingPluginActions: readonly Action[] = [
  list('changes', 'List what branches have changed, by object', listChanges, [
    ...['branch_id', 'id', 'object_type', 'object_id', 'action', 'has_conflicts'],
  ]),
  {
    path: `${ROOT}/changes/:id`,
    title: 'Branch',
    hasNoHistory: true,
    methods: {
      GET: {
        permission: { view: SYSTEM.branch },
        summary: 'Show what a branch has changed in an object',
        answer: { type: 'object', additionalProperties: {} },
        handle: showChange,
      },
    },
  },
  list('branch-events', 'List the events of branches', listEvents, ['branch_id', 'id', 'type']),
  list('branchable-models', 'List the models whose objects branches can change', listModels),
]

import { invalid } from '../../../../base/errors.ts'
import { permittedRows, permittedRowsOrNone } from '../../../../identity/permitted-rows.ts'
import { requireUser } from '../../../../identity/require-user.ts'
import { KINDS } from '../../../../models/dcim/instantiate.ts'
import {
  type Comparison,
  compareWithTypes,
  followersOf,
  type TypeDifference,
} from '../../../../models/dcim/type-differences.ts'
import { compileFilters } from '../../../../read/query/compile-filters.ts'
import { allVisible, andIn } from '../../../../read/query/row-predicate.ts'
import { isJsonObject, type JsonObject } from '../../../../schema/json.ts'
import { identifier, type Sql, sql } from '../../../../sql/fragment.ts'
import type { Queryable } from '../../../../sql/queryable.ts'
import { table } from '../../../../sql/table.ts'
import type { WriteContext } from '../../../../write/context.ts'
import { DryRun } from '../../../../write/dry-run/dry-run.ts'
import { runWrite } from '../../../../write/run.ts'
import { writeRequestOf } from '../../../../write/write-request.ts'
import type { ApiRequest } from '../../../api-request.ts'
import { type HttpResponse, jsonResponse } from '../../../response.ts'
import { type Action, ANY_OBJECT, action, listOf } from '../../action.ts'
import { findTarget } from '../../target.ts'
import { applyTypes } from './apply-type.ts'

/** What has a type: devices and modules. */
export const FOLLOWERS = {
  device_type: {
    follower: 'dcim.device',
    type: 'dcim.devicetype',
    path: 'dcim/devices',
    typePath: 'dcim/device-types',
    list: 'devices',
  },
  module_type: {
    follower: 'dcim.module',
    type: 'dcim.moduletype',
    path: 'dcim/modules',
    typePath: 'dcim/module-types',
    list: 'modules',
  },
} as const
export type By = keyof typeof FOLLOWERS

/**
 * The comparisons of devices or modules with their types, of which the actor sees only differences of components and
 * templates that they may view.
 */
export async function visibleComparisons(
  { service, actor }: Pick<ApiRequest, 'service' | 'actor'>,
  by: By,
  ids: readonly number[],
  queryable: Queryable = service.database,
): Promise<readonly Comparison[]> {
  const comparisons = await compareWithTypes(queryable, by, await followersOf(queryable, by, ids))
  const seen = async (model: string, wanted: readonly number[]): Promise<ReadonlySet<number>> => {
    if (wanted.length === 0) return new Set()
    const permitted = permittedRowsOrNone(actor, 'view', service.registry.model(model), service.settings)
    const rows = await queryable.queryColumn(
      sql`select t.id from ${table(model)} t where t.id = any(${wanted}::bigint[])${andIn(permitted)}`,
    )
    return new Set(rows.map(Number))
  }
  const all = comparisons.flatMap(({ differences }) => differences)
  const hidden = new Set<TypeDifference>()
  for (const [kind, differences] of Map.groupBy(all, (difference) => difference.kind)) {
    const { name } = KINDS[kind].component
    const [components, templates] = await Promise.all([
      seen(
        name,
        differences.flatMap(({ component }) => component ?? []),
      ),
      seen(
        `${name}template`,
        differences.flatMap(({ template }) => template ?? []),
      ),
    ])
    for (const difference of differences) {
      const { component, template } = difference
      const isSeen = (component === null || components.has(component)) && (template === null || templates.has(template))
      if (!isSeen) hidden.add(difference)
    }
  }
  return comparisons.map((comparison) => ({
    ...comparison,
    differences: comparison.differences.filter((difference) => !hidden.has(difference)),
  }))
}

const asJson =
  (base: string) =>
  ({ difference, kind, template, component, name, changes, isCabled }: TypeDifference): JsonObject => {
    const model = KINDS[kind].component
    return {
      ...{ difference, object_type: model.name, object_id: component },
      url: component === null ? null : `${base}/api/${model.path}/${component}/`,
      ...{ template_id: template, name, cabled: isCabled },
      changes: Object.fromEntries(
        Object.entries(changes).map(([field, [is, becomes]]) => [field, { before: is, after: becomes } as JsonObject]),
      ),
    }
  }

/** GET: how the components of a device or module differ from those of its type. */
async function differencesOf(request: ApiRequest, by: By): Promise<HttpResponse> {
  const { id } = await findTarget(request, FOLLOWERS[by].follower)
  const [comparison] = await visibleComparisons(request, by, [id])
  const differences = (comparison?.differences ?? []).map(asJson(request.base))
  return jsonResponse(200, { count: differences.length, differences })
}

/** What a body asks for. */
interface Wanted {
  readonly ids: readonly number[] | undefined
  readonly group: string | number | undefined
  readonly removesExtra: boolean
  readonly isDry: boolean
}

function wantedIn(body: unknown, list: string): Wanted {
  if (!isJsonObject(body)) throw invalid({ non_field_errors: ['Expected an object with named fields.'] })
  const { [list]: ids, group, remove_extra: removesExtra = false, dry_run: dryRun = false } = body
  const isIds = (value: unknown): value is readonly number[] =>
    Array.isArray(value) && value.length > 0 && value.every((id) => Number.isSafeInteger(id) && Number(id) > 0)
  if (ids !== undefined && !isIds(ids)) throw invalid({ [list]: ['Expected a list of ids.'] })
  if (group !== undefined && typeof group !== 'string' && !Number.isSafeInteger(group)) {
    throw invalid({ group: ['Expected the id or slug of a dynamic group.'] })
  }
  if ((ids === undefined) === (group === undefined)) {
    throw invalid({ non_field_errors: [`Name either ${list} or a group.`] })
  }
  for (const [name, value] of [
    ['remove_extra', removesExtra],
    ['dry_run', dryRun],
  ] as const) {
    if (typeof value !== 'boolean') throw invalid({ [name]: ['Must be a valid boolean.'] })
  }
  return { ids, group: group as Wanted['group'], removesExtra: removesExtra === true, isDry: dryRun === true }
}

/** The condition on the wanted rows `t`. Throws `invalid` if there is no such group. */
async function wantedRows({ service }: ApiRequest, by: By, { ids, group }: Wanted): Promise<Sql> {
  if (group === undefined) return sql`t.id = any(${ids ?? []}::bigint[])`
  const parameter = typeof group === 'number' ? 'dynamic_group_id' : 'dynamic_group'
  const parameters = new URLSearchParams({ [parameter]: String(group) })
  const model = service.registry.model(FOLLOWERS[by].follower)
  return (await compileFilters(service, model, parameters, allVisible)) ?? sql`true`
}

/** The ids of the devices or modules of the type that satisfy the condition and that the actor may change. */
async function followersToChange(
  { service, actor, transaction }: WriteContext,
  by: By,
  type: number,
  wanted: Sql,
): Promise<readonly number[]> {
  const { follower } = FOLLOWERS[by]
  const permitted = permittedRows(actor, 'change', service.registry.model(follower), service.settings)
  const found = await transaction.queryColumn(sql`
    select t.id from ${table(follower)} t
    where ${wanted} and ${identifier('t', `${by}_id`)} = ${type}::bigint${andIn(permitted)} order by t.id`)
  return found.map(Number)
}

/** POST: makes devices or modules follow their type. */
export async function applyToFollowers(request: ApiRequest, by: By): Promise<HttpResponse> {
  const { service, base } = request
  const { path, type, list } = FOLLOWERS[by]
  const wanted = wantedIn(await request.body.read(), list)
  const dryRun = request.dryRun ?? (wanted.isDry ? new DryRun() : undefined)
  const actor = requireUser(request)
  const rows = await wantedRows(request, by, wanted)
  return await runWrite(service, { ...writeRequestOf(request, actor), dryRun }, async (context) => {
    const { id } = await findTarget(request, type, { queryable: context.transaction })
    const ids = await followersToChange(context, by, id, rows)
    const unknown = wanted.ids?.filter((each) => !ids.includes(each)) ?? []
    if (unknown.length > 0) {
      const names = unknown.slice(0, 20).join(', ')
      throw invalid({ [list]: [`These are not of this type, or may not be changed: ${names}.`] })
    }
    const comparisons = await visibleComparisons({ service: context.service, actor }, by, ids, context.transaction)
    await applyTypes(context, by, comparisons, wanted)
    const differing = comparisons.filter(({ differences }) => differences.length > 0)
    const count = (name: TypeDifference['difference']) =>
      differing.flatMap(({ differences }) => differences).filter(({ difference }) => difference === name).length
    return jsonResponse(200, {
      request_id: dryRun ? null : request.id,
      dry_run: dryRun !== undefined,
      ...{ compared: ids.length, differing: differing.length },
      ...{ missing: count('missing'), renamed: count('renamed'), changed: count('changed'), extra: count('extra') },
      [list]: differing.map(({ follower, differences }) => ({
        ...{ id: follower.id, url: `${base}/api/${path}/${follower.id}/` },
        differences: differences.map(asJson(base)),
      })),
    })
  })
}

const actionsFor = (by: By): readonly Action[] => {
  const { follower, type, path, typePath, list } = FOLLOWERS[by]
  const one = list.slice(0, -1)
  return [
    action({
      path: `${path}/:id/type-differences`,
      title: 'Type Differences',
      description: `How the components of the ${one} differ from those of its type.`,
      methods: {
        GET: {
          permission: { view: follower },
          answer: { type: 'object', properties: { count: { type: 'integer' }, differences: listOf(ANY_OBJECT) } },
          handle: (request) => differencesOf(request, by),
        },
      },
    }),
    action({
      path: `${typePath}/:id/apply`,
      title: 'Type Application',
      description: `Make the components of ${list} follow their type; with dry_run, only report what changes.`,
      methods: {
        POST: {
          permission: { view: type, change: follower },
          hasDryRun: true,
          body: {
            type: 'object',
            properties: {
              [list]: listOf({ type: 'integer' }),
              group: { oneOf: [{ type: 'integer' }, { type: 'string' }] },
              ...{ remove_extra: { type: 'boolean' }, dry_run: { type: 'boolean' } },
            },
          },
          answer: ANY_OBJECT,
          handle: (request) => applyToFollowers(request, by),
        },
      },
    }),
  ]
}

/** Components that follow the types of their devices and modules. */
export const typeActions: readonly Action[] = [...actionsFor('device_type'), ...actionsFor('module_type')]

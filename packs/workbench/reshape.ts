/** Splits, merges, resizes and renumbers prefixes: a plan, carried out by ordinary writes in one transaction. */
import {
  type ApiRequest,
  DryRun,
  type EndpointWriter,
  findTarget,
  forbidden,
  formatInterface,
  identifier,
  invalid,
  isJsonObject,
  type JsonObject,
  join,
  permittedRows,
  type Queryable,
  sql,
  table,
  writeWith,
} from 'cadastre'
import {
  ADDRESS,
  type Contents,
  contentsOf,
  type Kind,
  nameOf,
  type Piece,
  PREFIX,
  prefixesWith,
  RANGE,
} from './contents.ts'
import type { Plan } from './plans.ts'
import { type Operation, Options, WISHES } from './wishes.ts'

const KINDS = [PREFIX, RANGE, ADDRESS] as const
/** Objects that a response names at most, of each kind. */
const MOST_NAMED = 1000

/** What an operation does, or would do. */
export interface Reshaped {
  readonly plan: Plan
  readonly prefix: Piece
  /** What there was before. */
  readonly contents: Contents
  readonly report: JsonObject
}

/** Carries out an operation on the prefix of the path; as a dry run if the request or the body says so. */
export async function reshape(request: ApiRequest, operation: Operation, body: unknown): Promise<Reshaped> {
  const { options: names, read } = WISHES[operation]
  const options = new Options(body, [...names, 'dry_run'])
  const dryRun = request.dryRun ?? (options.flag('dry_run', false) ? new DryRun() : undefined)
  const wish = read(options)
  return await writeWith({ ...request, dryRun }, async (write) => {
    const { database } = write
    write.lock(PREFIX, ADDRESS)
    const { id, vrf } = await findTarget<{ id: number; vrf: number | null }>(request, PREFIX, {
      columns: sql`, t.vrf_id as vrf`,
      queryable: database,
    })
    const pieces = await prefixesWith(request, database, vrf, [id, ...(wish.named ?? [])])
    const byId = new Map(pieces.map((piece) => [piece.id, piece]))
    const missing = wish.named?.find((other) => byId.get(other)?.isVisible !== true)
    if (missing !== undefined) {
      throw invalid({ prefixes: [`There is no prefix with the id ${missing} in the same VRF.`] })
    }
    const [prefix, ...named] = [id, ...(wish.named ?? [])].flatMap((wanted) => byId.get(wanted) ?? [])
    if (!prefix) throw new Error(`The prefix ${id} was not read.`)
    if (named.some(({ family }) => family !== prefix.family)) {
      throw invalid({ prefixes: ['Expected prefixes of the same address family.'] })
    }
    const contents = await contentsOf(request, database, vrf, wish.space(prefix, named))
    const plan = wish.plan(prefix, contents, named)
    await requireRights(request, database, plan)
    const created = await carryOut(request, write, plan, id)
    return { plan, prefix, contents, report: reportOf(request, plan, created, dryRun !== undefined) }
  })
}

/** Throws `forbidden` unless the sender may change and delete everything that the plan concerns. */
async function requireRights(request: ApiRequest, database: Queryable, { change, remove }: Plan): Promise<void> {
  const groups = Map.groupBy(change, ({ piece }) => piece.kind)
  for (const kind of KINDS) {
    await requireRight(
      request,
      database,
      'change',
      kind,
      (groups.get(kind) ?? []).map(({ piece }) => piece.id),
    )
  }
  await requireRight(
    request,
    database,
    'delete',
    PREFIX,
    remove.map(({ id }) => id),
  )
}

async function requireRight(
  { service: { registry, settings }, actor }: ApiRequest,
  database: Queryable,
  action: 'change' | 'delete',
  name: string,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return
  const model = registry.model(name)
  const conditions = (['view', action] as const).flatMap((permission) => {
    const rows = permittedRows(actor, permission, model, settings)
    return rows === 'all' ? [] : [rows]
  })
  if (conditions.length === 0) return
  const [count] = await database.queryColumn(sql`
    select count(*) from ${table(model)} t where t.id = any(${ids}::bigint[]) and ${join(conditions, ' and ')}`)
  const missing = ids.length - Number(count)
  if (missing === 0) return
  const [one, several] = model.definition.labels
  throw forbidden(`The plan concerns ${missing} ${missing === 1 ? one : several} that you may not ${action}.`)
}

/** Writes the plan in batches, and returns the ids of the new prefixes. */
async function carryOut(
  request: ApiRequest,
  write: EndpointWriter,
  { create, change, remove, links }: Plan,
  id: number,
): Promise<readonly number[]> {
  const body = create.length > 0 ? await inheritedOf(write.database, id) : {}
  const created = await write.create(
    PREFIX,
    create.map((network) => ({ ...body, prefix: formatInterface(network) })),
  )
  const groups = Map.groupBy(change, ({ piece }) => piece.kind)
  const update = (kind: Kind) =>
    write.update(
      kind,
      (groups.get(kind) ?? []).map(({ piece, fields }) => ({
        id: piece.id,
        body: Object.fromEntries(Object.entries(fields).map(([name, [, after]]) => [name, after])),
      })),
    )
  await update(PREFIX)
  await copyLinks(request, write, links.from, [...links.to, ...(links.toCreated ? created : [])])
  await write.remove(
    PREFIX,
    remove.map((piece) => piece.id),
  )
  await update(RANGE)
  await update(ADDRESS)
  return created
}

/** Values that new prefixes copy from the one in which they are. */
export async function inheritedOf(database: Queryable, id: number): Promise<JsonObject> {
  const [row] = await database.query<{ values: string }>(sql`
    select jsonb_build_object(
      'vrf', t.vrf_id, 'tenant', t.tenant_id, 'role', t.role_id, 'owner', t.owner_id,
      'scope_type', t.scope_type, 'scope_id', t.scope_id, 'is_pool', t.is_pool, 'custom_fields', t.custom_field_data,
      'status', case t.status when 'container' then 'active' else t.status end,
      'tags', array(select i.tag_id from ${table('extras.taggeditem')} i
        where i.object_type = ${PREFIX} and i.object_id = t.id)) as values
    from ${table(PREFIX)} t where t.id = ${id}::bigint`)
  // JSON arrives as text.
  const values: unknown = JSON.parse(row?.values ?? '{}')
  return isJsonObject(values) ? values : {}
}

/**
 * Adds prefixes to the lists of objects that contain one of the other prefixes, such as the views of DNS whose zones get
 * the names of its addresses. Throws `forbidden`.
 */
async function copyLinks(
  request: ApiRequest,
  write: EndpointWriter,
  from: readonly number[],
  to: readonly number[],
): Promise<void> {
  if (from.length === 0 || to.length === 0) return
  for (const referrer of write.registry.model(PREFIX).referrers) {
    if (referrer.kind !== 'manyToMany' || referrer.field.inverse !== undefined || referrer.field.readOnly) continue
    const { ownColumn, otherColumn } = referrer.table
    const [own, other] = [identifier('x', ownColumn), identifier('x', otherColumn)]
    const rows = await write.database.query<{ id: number; prefixes: readonly number[] }>(sql`
      select ${own} as id, array_agg(${other}) as prefixes from ${table(referrer.table)} x
      where ${own} in (select ${own} from ${table(referrer.table)} x where ${other} = any(${from}::bigint[]))
      group by 1 order by 1`)
    const targets = rows.flatMap((row) => {
      const prefixes = new Set(row.prefixes.map(Number))
      return to.every((target) => prefixes.has(target))
        ? []
        : [{ id: Number(row.id), body: { [referrer.name]: [...new Set([...prefixes, ...to])] } }]
    })
    await requireRight(
      request,
      write.database,
      'change',
      referrer.model.name,
      targets.map(({ id }) => id),
    )
    await write.update(referrer.model.name, targets)
  }
}

function reportOf(
  request: ApiRequest,
  { create, change, remove }: Plan,
  ids: readonly number[],
  isDryRun: boolean,
): JsonObject {
  const { registry } = request.service
  const reference = (piece: Piece) => ({
    object_type: piece.kind,
    id: piece.id,
    url: `${request.base}/api/${registry.model(piece.kind).path}/${piece.id}/`,
    display: nameOf(piece),
  })
  return {
    dry_run: isDryRun,
    // What changes nothing cannot be undone.
    request_id: isDryRun || create.length + change.length + remove.length === 0 ? null : request.id,
    counts: { created: create.length, changed: change.length, deleted: remove.length },
    // A dry run has no ids.
    created: create.slice(0, MOST_NAMED).map((network, index) => ({
      ...{ object_type: PREFIX, id: isDryRun ? null : (ids[index] ?? null) },
      ...{ url: isDryRun ? null : `${request.base}/api/${registry.model(PREFIX).path}/${ids[index]}/` },
      display: formatInterface(network),
    })),
    changed: change.slice(0, MOST_NAMED).map(({ piece, fields }) => ({
      ...reference(piece),
      changes: Object.fromEntries(Object.entries(fields).map(([name, [before, after]]) => [name, { before, after }])),
    })),
    deleted: remove.slice(0, MOST_NAMED).map(reference),
  }
}

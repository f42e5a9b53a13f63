/** Splits, merges, resizes and renumbers prefixes: a plan, carried out by ordinary writes in one transaction. */
import {
  type ApiRequest,
  DryRun,
  type EndpointWriter,
  findTarget,
  forbidden,
  formatInterface,
  type Interface,
  identifier,
  invalid,
  isJsonObject,
  type JsonObject,
  join,
  parseInterface,
  permittedRows,
  type Queryable,
  sql,
  table,
  widthOf,
  writeWith,
} from 'cadastre'
import {
  ADDRESS,
  type Contents,
  contentsOf,
  isWithin,
  type Kind,
  nameOf,
  networkOf,
  type Piece,
  PREFIX,
  prefixesWith,
  RANGE,
} from './contents.ts'
import {
  mergedNetwork,
  mergePlan,
  ORIGINALS,
  type Original,
  type Plan,
  partsOf,
  renumberPlan,
  resizePlan,
  splitPlan,
} from './plans.ts'

export const OPERATIONS = ['split', 'merge', 'resize', 'renumber'] as const
export type Operation = (typeof OPERATIONS)[number]

const KINDS = [PREFIX, RANGE, ADDRESS] as const
/** Objects that a response names at most, of each kind. */
const MOST_NAMED = 1000

/** A parsed request: which part of the address space it is about, and its plan. */
interface Wish {
  /** Ids of further prefixes that it names. */
  readonly named?: readonly number[] | undefined
  /** Networks whose contents the plan needs. */
  readonly space: (prefix: Piece, named: readonly Piece[]) => readonly Interface[]
  readonly plan: (prefix: Piece, contents: Contents, named: readonly Piece[]) => Plan
}

/** The options in the body. */
class Options {
  readonly #values: JsonObject

  constructor(body: unknown, names: readonly string[]) {
    if (body !== undefined && body !== null && !isJsonObject(body)) {
      throw invalid({ non_field_errors: ['Expected an object with named fields.'] })
    }
    this.#values = body ?? {}
    const unknown = Object.keys(this.#values).find((name) => !names.includes(name))
    if (unknown !== undefined) throw invalid({ [unknown]: ['There is no such option.'] })
  }

  flag(name: string, otherwise: boolean): boolean {
    const value = this.#values[name] ?? otherwise
    if (typeof value !== 'boolean') throw invalid({ [name]: ['Must be a valid boolean.'] })
    return value
  }

  choice<T extends string>(name: string, values: readonly T[], otherwise: T): T {
    const value = this.#values[name] ?? otherwise
    const chosen = values.find((each) => each === value)
    if (chosen === undefined) throw invalid({ [name]: [`Expected one of ${values.join(', ')}.`] })
    return chosen
  }

  number(name: string): number | undefined {
    const value = this.#values[name]
    if (value === undefined || value === null) return undefined
    if (!Number.isSafeInteger(value)) throw invalid({ [name]: ['A valid integer is required.'] })
    return Number(value)
  }

  ids(name: string): readonly number[] | undefined {
    const value = this.#values[name]
    if (value === undefined || value === null) return undefined
    const isId = (id: unknown) => Number.isSafeInteger(id) && Number(id) > 0
    if (!Array.isArray(value) || !value.every(isId)) throw invalid({ [name]: ['Expected a list of ids.'] })
    return [...new Set(value.map(Number))]
  }

  networks(name: string): readonly Interface[] | undefined {
    const value = this.#values[name]
    if (value === undefined || value === null) return undefined
    if (!Array.isArray(value) || value.length === 0) throw invalid({ [name]: ['Expected a list of networks.'] })
    return value.map((text) => parsedNetwork(name, text))
  }

  network(name: string): Interface | undefined {
    const value = this.#values[name]
    return value === undefined || value === null ? undefined : parsedNetwork(name, value)
  }
}

function parsedNetwork(name: string, value: unknown): Interface {
  const network = typeof value === 'string' && value.includes('/') ? parseInterface(value.trim()) : undefined
  if (!network) throw invalid({ [name]: ['Expected a network, such as 192.0.2.0/24.'] })
  const host = BigInt(widthOf(network.family) - network.length)
  if ((network.value >> host) << host !== network.value) {
    throw invalid({ [name]: [`${formatInterface(network)} has host bits. Expected a network, such as 192.0.2.0/24.`] })
  }
  return network
}

const inOrder = (pieces: readonly Piece[]): readonly Piece[] =>
  pieces.toSorted((left, right) =>
    left.first < right.first ? -1 : left.first > right.first ? 1 : left.length - right.length,
  )

/** The prefixes within one that lie in no other one within it. */
function directChildren(prefix: Piece, { prefixes }: Contents): readonly Piece[] {
  const children: Piece[] = []
  const inside = prefixes.filter((piece) => piece.length > prefix.length && isWithin(piece, networkOf(prefix)))
  for (const piece of inOrder(inside)) {
    const last = children.at(-1)
    if (!last || !isWithin(piece, networkOf(last))) children.push(piece)
  }
  return children
}

const WISHES: Readonly<
  Record<Operation, { readonly options: readonly string[]; readonly read: (options: Options) => Wish }>
> = {
  split: {
    options: ['length', 'prefixes', 'original', 'masks'],
    read: (options) => {
      const [length, prefixes] = [options.number('length'), options.networks('prefixes')]
      const original: Original = options.choice('original', ORIGINALS, 'container')
      const masks = options.flag('masks', true)
      if ((length === undefined) === (prefixes === undefined)) {
        throw invalid({ non_field_errors: ['Give either the length of the new prefixes, or these prefixes.'] })
      }
      return {
        space: (prefix) => [networkOf(prefix)],
        plan: (prefix, contents) =>
          splitPlan(prefix, contents, { parts: prefixes ?? partsOf(networkOf(prefix), length ?? 0), original, masks }),
      }
    },
  },
  merge: {
    options: ['prefixes', 'masks'],
    read: (options) => {
      const named = options.ids('prefixes')
      const masks = options.flag('masks', true)
      return {
        named,
        space: (prefix, others) => [mergedNetwork(prefix, others)],
        plan: (prefix, contents, others) => {
          const merged = named ? others.filter(({ id }) => id !== prefix.id) : directChildren(prefix, contents)
          if (merged.length === 0) throw invalid({ prefixes: ['Name the prefixes to merge.'] })
          return mergePlan(prefix, merged, contents, { masks })
        },
      }
    },
  },
  resize: {
    options: ['prefix', 'length', 'take_in', 'masks'],
    read: (options) => {
      const [network, length] = [options.network('prefix'), options.number('length')]
      const [takesIn, masks] = [options.flag('take_in', false), options.flag('masks', true)]
      if ((length === undefined) === (network === undefined)) {
        throw invalid({ non_field_errors: ['Give either the new length, or the new prefix.'] })
      }
      const target = (prefix: Piece): Interface => network ?? withLength(networkOf(prefix), length ?? 0)
      return {
        space: (prefix) => [networkOf(prefix), target(prefix)],
        plan: (prefix, contents) => resizePlan(prefix, contents, { network: target(prefix), takesIn, masks }),
      }
    },
  },
  renumber: {
    options: ['prefix', 'children', 'ranges', 'addresses', 'names'],
    read: (options) => {
      const network = options.network('prefix')
      if (!network) throw invalid({ prefix: ['This field is required.'] })
      const moves = {
        prefixes: options.flag('children', true),
        ranges: options.flag('ranges', true),
        addresses: options.flag('addresses', true),
      }
      const names = options.flag('names', true)
      return {
        space: (prefix) => [networkOf(prefix), network],
        plan: (prefix, contents) => renumberPlan(prefix, contents, { network, moves, names }),
      }
    },
  },
}

/** The network with another length, at the beginning or around it. Throws `invalid` for a length that does not exist. */
function withLength({ family, value }: Interface, length: number): Interface {
  const width = widthOf(family)
  if (length < 1 || length > width) throw invalid({ length: [`Expected a length from 1 to ${width}.`] })
  const host = BigInt(width - length)
  return { family, length, value: (value >> host) << host }
}

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
    const [prefix, ...named] = [id, ...(wish.named ?? [])].flatMap((each) => byId.get(each) ?? [])
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
  const conditions = (['view', action] as const).flatMap((each) => {
    const rows = permittedRows(actor, each, model, settings)
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
      return to.every((each) => prefixes.has(each))
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

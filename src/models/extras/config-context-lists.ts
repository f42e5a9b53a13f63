import type { ComputeContext, RowsById, SharedRows } from '../../schema/computed.ts'
import { empty, identifier, join, raw, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

/** A model whose objects have a config context. */
export type ContextBearer = 'dcim.device' | 'virtualization.virtualmachine'

/** Conditions of a config context and the columns of their join tables; an object must match all of them. */
export const LISTS = [
  ['regions', 'region_id'],
  ['site_groups', 'sitegroup_id'],
  ['sites', 'site_id'],
  ['locations', 'location_id'],
  ['device_types', 'devicetype_id'],
  ['roles', 'devicerole_id'],
  ['platforms', 'platform_id'],
  ['cluster_types', 'clustertype_id'],
  ['cluster_groups', 'clustergroup_id'],
  ['clusters', 'cluster_id'],
  ['tenant_groups', 'tenantgroup_id'],
  ['tenants', 'tenant_id'],
  ['tags', 'tag_id'],
] as const
export type ListName = (typeof LISTS)[number][0]
export type Ids = Readonly<Partial<Record<ListName, readonly (number | null)[] | null>>>

/** Lists of ids that a row determines which many objects refer to, in the order of its select list. */
interface Related extends SharedRows {
  readonly lists: readonly ListName[]
}

const ofRow = (name: string): Sql => identifier('t', name)

const ancestors = (model: string, alias: string, key: Sql): Sql => {
  const named = raw(alias)
  return sql`(select ${named}._ancestors from ${table(model, '_ancestors')} ${named} where ${named}.id = ${key})`
}

/** By the column that refers to the row. Trees include the ancestors, except tenant groups. */
const RELATED: Readonly<Record<string, Related>> = {
  site_id: {
    ...{ model: 'dcim.site', lists: ['regions', 'site_groups'] },
    select: sql`${ancestors('dcim.region', 'region', ofRow('region_id'))}, ${ancestors('dcim.sitegroup', 'site_group', ofRow('group_id'))}`,
  },
  location_id: { model: 'dcim.location', lists: ['locations'], select: ofRow('_ancestors') },
  role_id: { model: 'dcim.devicerole', lists: ['roles'], select: ofRow('_ancestors') },
  platform_id: { model: 'dcim.platform', lists: ['platforms'], select: ofRow('_ancestors') },
  cluster_id: {
    ...{ model: 'virtualization.cluster', lists: ['cluster_types', 'cluster_groups'] },
    select: sql`array[${ofRow('type_id')}], array[${ofRow('group_id')}]`,
  },
  tenant_id: {
    model: 'tenancy.tenant',
    lists: ['tenant_groups'],
    select: sql`array[${ofRow('group_id')}]`,
  },
}

/** Lists of the one id that stands in a column of the object. */
const OWN: Readonly<Record<string, ListName>> = {
  site_id: 'sites',
  device_type_id: 'device_types',
  cluster_id: 'clusters',
  tenant_id: 'tenants',
}

/** Columns with ids that determine lists. */
const COLUMNS = [...new Set([...Object.keys(RELATED), ...Object.keys(OWN)])]
/** Virtual machines have neither location nor device type. */
const OF_DEVICES: ReadonlySet<string> = new Set(['location_id', 'device_type_id'])

/** The lists that a column determines. */
const listsOf = (column: string): readonly ListName[] => [
  ...(RELATED[column]?.lists ?? []),
  ...[OWN[column]].filter((list) => list !== undefined),
]

/** Conditions of a context: its lists that are not empty, of which each must have one of the object's ids. */
export interface Conditions {
  readonly lists: readonly (readonly [ListName, ReadonlySet<number | null>])[]
}

export interface Bearer {
  readonly localData: string | null
  /** Places of the contexts that match; to be called where they are used. */
  matching(): readonly number[]
}

/** Positions in a row of `bearersStatement`. */
const [LOCAL_DATA, TAGS, FIRST_COLUMN] = [1, 2, 3] as const

/** Local data of the objects, the ids of their tags, and the columns. */
function bearersStatement(
  model: ContextBearer,
  ids: readonly number[],
  columns: readonly string[],
  usesTags: boolean,
): Sql {
  const tags = usesTags
    ? sql`array(
        select i.tag_id from ${table('extras.taggeditem', 'tag_id', 'object_type', 'object_id')} i
        where i.object_type = ${model} and i.object_id = t.id)`
    : sql`null`
  const selected = columns.map((column) => sql`, t.${identifier(column)}`)
  return sql`
    select t.id, t.local_context_data, ${tags}${selected.length === 0 ? empty : join(selected, '')}
    from ${table(model, 'local_context_data')} t where t.id = any(${ids}::bigint[])`
}

/** The objects with the ids, as far as contexts match by them. */
export async function readBearers(
  model: ContextBearer,
  contexts: readonly Conditions[],
  ids: readonly number[],
  { database, rows }: Pick<ComputeContext, 'database' | 'rows'>,
): Promise<ReadonlyMap<number, Bearer>> {
  const used = new Set(contexts.flatMap(({ lists }) => lists.map(([list]) => list)))
  const columns = COLUMNS.filter(
    (column) =>
      listsOf(column).some((list) => used.has(list)) &&
      (model === 'dcim.device' || !OF_DEVICES.has(column)),
  )
  const found = await database.queryArrays(bearersStatement(model, ids, columns, used.has('tags')))
  const matchers = await Promise.all(
    columns.map(async (column, index): Promise<Matcher> => {
      const place = FIRST_COLUMN + index
      const shared = RELATED[column]
      const keys = new Set(found.map((row) => row[place]))
      keys.delete(null)
      // Foreign keys are numbers or null.
      const related = shared && (await rows(shared, keys as Set<number>))
      return matcherOf(contexts, column, place, related)
    }),
  )
  if (used.has('tags')) matchers.push(tagMatcher(contexts))
  // A list of which an object has no ids at all is matched by none.
  const covered = new Set<ListName>([...columns.flatMap(listsOf), 'tags'])
  const possible = contexts.flatMap(({ lists }, place) =>
    lists.every(([list]) => covered.has(list)) ? [place] : [],
  )
  const matching = (row: readonly unknown[]): readonly number[] => {
    const matches = matchers.map((matcher) => matcher(row))
    return possible.filter((place) => matches.every((each) => each[place] === true))
  }
  return new Map(
    found.map((row) => [
      Number(row[0]),
      { localData: row[LOCAL_DATA] as string | null, matching: () => matching(row) }, // JSON is text
    ]),
  )
}

/** For each context whether the object in the row fulfils the conditions of certain lists. */
type Matcher = (row: readonly unknown[]) => readonly boolean[]

/** The lists that a column determines: the same for all objects with the same id in it. */
function matcherOf(
  contexts: readonly Conditions[],
  column: string,
  place: number,
  related: RowsById | undefined,
): Matcher {
  const known = new Map<unknown, readonly boolean[]>()
  const own = OWN[column]
  return (row) => {
    const key = row[place]
    // Asked for every row, so that the row depends on it.
    const values = key === null ? undefined : related?.get(Number(key))
    const matched = known.get(key)
    if (matched) return matched
    const ids: Partial<Record<ListName, readonly unknown[] | null>> = {}
    for (const [index, list] of (RELATED[column]?.lists ?? []).entries()) {
      ids[list] = (values?.[index] ?? []) as readonly unknown[] // arrays of bigints
    }
    if (own) ids[own] = [key]
    const matches = matchesOf(contexts, ids)
    known.set(key, matches)
    return matches
  }
}

const tagMatcher =
  (contexts: readonly Conditions[]): Matcher =>
  (row) =>
    matchesOf(contexts, { tags: row[TAGS] as readonly number[] }) // an array of bigints

const matchesOf = (
  contexts: readonly Conditions[],
  ids: Readonly<Partial<Record<ListName, readonly unknown[] | null>>>,
): readonly boolean[] =>
  contexts.map(({ lists }) =>
    lists.every(([list, wanted]) => {
      const own = ids[list]
      return !own || own.some((id) => wanted.has(id as number | null)) // ids and null
    }),
  )

import type { ColumnRows, ComputeContext, RowsByOwner, SharedRows } from '../../schema/computed.ts'
import { oncePer, oncePerText } from '../../schema/once-per.ts'
import { identifier, join, raw, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { type Matches, MatchingContexts, matchesOnce } from './matching-contexts.ts'

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
  ['dynamic_groups', 'dynamicgroup_id'],
] as const
type ListName = (typeof LISTS)[number][0]
export type Ids = Readonly<Partial<Record<ListName, readonly (number | null)[] | null>>>

/** Id lists computed once per shared row, such as the ancestors of a site's region, in the order of its select list. */
interface Related extends SharedRows {
  readonly lists: readonly ListName[]
}

const ofRow = (name: string): Sql => identifier('t', name)

const ancestors = (model: string, alias: string, key: Sql): Sql => {
  const named = raw(alias)
  return sql`(select ${named}._ancestors from ${table(model)} ${named} where ${named}.id = ${key})`
}

/** By the foreign key to the shared row. Trees include the ancestors, except tenant groups. */
const RELATED: Readonly<Record<string, Related>> = {
  site: {
    model: 'dcim.site',
    lists: ['regions', 'site_groups'],
    select: sql`${ancestors('dcim.region', 'region', ofRow('region_id'))}, ${ancestors('dcim.sitegroup', 'site_group', ofRow('group_id'))}`,
  },
  location: { model: 'dcim.location', lists: ['locations'], select: ofRow('_ancestors') },
  role: { model: 'dcim.devicerole', lists: ['roles'], select: ofRow('_ancestors') },
  platform: { model: 'dcim.platform', lists: ['platforms'], select: ofRow('_ancestors') },
  cluster: {
    model: 'virtualization.cluster',
    lists: ['cluster_types', 'cluster_groups'],
    select: sql`array[${ofRow('type_id')}], array[${ofRow('group_id')}]`,
  },
  tenant: {
    model: 'tenancy.tenant',
    lists: ['tenant_groups'],
    select: sql`array[${ofRow('group_id')}]`,
  },
}

/** Lists with a single id, which is a foreign key of the object. */
const OWN: Readonly<Record<string, ListName>> = {
  site: 'sites',
  device_type: 'device_types',
  cluster: 'clusters',
  tenant: 'tenants',
}

/** Foreign keys that determine such lists. */
const KEYS = [...new Set([...Object.keys(RELATED), ...Object.keys(OWN)])]
/** Virtual machines have neither location nor device type. */
const OF_DEVICES: ReadonlySet<string> = new Set(['location', 'device_type'])

const keysOf = (model: ContextBearer): readonly string[] =>
  KEYS.filter((key) => model === 'dcim.device' || !OF_DEVICES.has(key))

/** Fields that, besides tags, determine which contexts match the objects of a model. */
export const columnsOfBearers = (model: ContextBearer): readonly string[] => ['local_context_data', ...keysOf(model)]

/** The lists that a foreign key determines. */
const listsOf = (key: string): readonly ListName[] => [
  ...(RELATED[key]?.lists ?? []),
  ...[OWN[key]].filter((list) => list !== undefined),
]

/** Conditions of a context: each of its non-empty lists must contain one of the object's ids. */
export interface Conditions {
  readonly lists: readonly (readonly [ListName, ReadonlySet<number | null>])[]
}

interface Bearer {
  readonly localData: string | null
  /** The matching contexts; to be called where they are used. */
  matching(): MatchingContexts
}

/** Positions in a row of an object: the id, then `columnsOfBearers`. */
const [LOCAL_DATA, FIRST_KEY] = [1, 2] as const

const bearersStatement = (model: ContextBearer, ids: readonly number[]): Sql => sql`
  select t.id, t.local_context_data, ${join(keysOf(model).map((key) => sql`t.${identifier(`${key}_id`)}`))}
  from ${table(model)} t where t.id = any(${ids}::bigint[])`

/** What reads the values that contexts compare. */
export type BearerContext = Pick<ComputeContext, 'database' | 'rows' | 'memberships'>

interface WantedBearers {
  readonly ids: readonly number[]
  /** The id and `columnsOfBearers` of each object, if the caller reads them. */
  readonly rows?: Promise<ColumnRows> | undefined
  /** Ids of tags by the id of the object. */
  readonly tags: RowsByOwner
}

/** The objects with the ids, with the values that contexts compare. */
export async function readBearers(
  model: ContextBearer,
  contexts: readonly Conditions[],
  { ids, rows: columnRows, tags }: WantedBearers,
  { database, rows, memberships }: BearerContext,
): Promise<ReadonlyMap<number, Bearer>> {
  const used = usedLists(contexts)
  const bearers = await (columnRows ?? database.queryArrays(bearersStatement(model, ids)))
  const keys = keysOf(model)
  const matchers = await Promise.all(
    keys.flatMap((key, index) => {
      if (!listsOf(key).some((list) => used.has(list))) return []
      return [keyMatcher(contexts, key, FIRST_KEY + index, { bearers, rows })]
    }),
  )
  if (used.has('tags')) {
    matchers.push(([id]) => matchesOfTags(contexts, String(tags.get(Number(id)) ?? '')))
  }
  const possible = possibleContexts(contexts)[model]
  if (used.has('dynamic_groups')) {
    const groups = await memberships(
      model,
      [...usedGroups(contexts)],
      bearers.map(([id]) => Number(id)),
    )
    matchers.push(([id]) => matchesOfGroups(contexts, String(groups.get(Number(id)) ?? '')))
  }
  const matching = (row: readonly unknown[]): MatchingContexts =>
    matchers.reduce((remaining, matcher) => remaining.narrowedBy(matcher(row)), possible)
  return new Map(
    bearers.map((row) => [
      Number(row[0]),
      { localData: row[LOCAL_DATA] as string | null, matching: () => matching(row) }, // JSON is text
    ]),
  )
}

/** Ids of the dynamic groups among the conditions. */
const usedGroups = oncePer(
  (contexts: readonly Conditions[]): ReadonlySet<number> =>
    new Set(
      contexts.flatMap(({ lists }) =>
        lists.flatMap(([list, ids]) => (list === 'dynamic_groups' ? [...ids].filter((id) => id !== null) : [])),
      ),
    ),
)

const usedLists = oncePer(
  (contexts: readonly Conditions[]): ReadonlySet<ListName> =>
    new Set(contexts.flatMap(({ lists }) => lists.map(([list]) => list))),
)

/**
 * The contexts that some objects of the model match; a context with a list that never applies to these objects matches
 * none.
 */
const possibleContexts = oncePer((contexts: readonly Conditions[]) => {
  const ofModel = (model: ContextBearer): MatchingContexts => {
    const covered = new Set<ListName>([...keysOf(model).flatMap(listsOf), 'tags', 'dynamic_groups'])
    return new MatchingContexts(
      contexts.flatMap(({ lists }, place) => (lists.every(([list]) => covered.has(list)) ? [place] : [])),
    )
  }
  return {
    'dcim.device': ofModel('dcim.device'),
    'virtualization.virtualmachine': ofModel('virtualization.virtualmachine'),
  }
})

/** For each context, whether the object in the row fulfils the conditions of certain lists. */
type Matcher = (row: readonly unknown[]) => Matches

/** Results of comparing a foreign key with all conditions; kept as long as the contexts are cached. */
interface KnownMatches {
  /** By the values of the related row, which a change replaces. */
  readonly byRow: WeakMap<readonly unknown[], Matches>
  /** By id alone, if nothing else affects it. */
  readonly byKey: Map<unknown, Matches>
}

const matchesByContexts = oncePer((_contexts: readonly Conditions[]) => new Map<string, KnownMatches>())

function knownMatches(contexts: readonly Conditions[], name: string): KnownMatches {
  const byName = matchesByContexts(contexts)
  const cached = byName.get(name) ?? { byRow: new WeakMap(), byKey: new Map() }
  byName.set(name, cached)
  return cached
}

/** The lists that a foreign key determines: the same for all objects with the same id in it. */
async function keyMatcher(
  contexts: readonly Conditions[],
  name: string,
  place: number,
  { bearers, rows }: { readonly bearers: ColumnRows } & Pick<ComputeContext, 'rows'>,
): Promise<Matcher> {
  const shared = RELATED[name]
  const keys = new Set(bearers.map((row) => row[place]))
  keys.delete(null)
  // Foreign keys are numbers or null.
  const related = shared && (await rows(shared, keys as Set<number>))
  const cached = knownMatches(contexts, name)
  const source = OWN[name]
  return (row) => {
    const key = row[place]
    // Requested for every row, so that the row depends on it.
    const values = key === null ? undefined : related?.get(Number(key))
    const matched = values ? cached.byRow.get(values) : cached.byKey.get(key)
    if (matched) return matched
    const ids: Partial<Record<ListName, readonly unknown[] | null>> = {}
    for (const [index, list] of (shared?.lists ?? []).entries()) {
      ids[list] = (values?.[index] ?? []) as readonly unknown[] // arrays of bigints
    }
    if (source) ids[source] = [key]
    const matches = matchesOf(contexts, ids)
    if (values) cached.byRow.set(values, matches)
    else cached.byKey.set(key, matches)
    return matches
  }
}

/** Maximum number of sets of tags, or of groups, per set of contexts, whose matches are cached. */
const MOST_SETS = 1_000

/** `ids`: separated by commas. */
const matchesOfIds = (list: 'tags' | 'dynamic_groups') =>
  oncePerText(MOST_SETS, (contexts: readonly Conditions[], ids) =>
    matchesOf(contexts, { [list]: ids === '' ? [] : ids.split(',').map(Number) }),
  )
const matchesOfTags = matchesOfIds('tags')
const matchesOfGroups = matchesOfIds('dynamic_groups')

const matchesOf = (
  contexts: readonly Conditions[],
  ids: Readonly<Partial<Record<ListName, readonly unknown[] | null>>>,
): Matches =>
  matchesOnce(
    contexts,
    contexts.map(({ lists }) =>
      lists.every(([list, objectIds]) => {
        const listed = ids[list]
        return !listed || listed.some((id) => objectIds.has(id as number | null)) // ids and null
      }),
    ),
  )

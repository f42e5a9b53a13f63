import { DYNAMIC_GROUP, groupsNamedIn } from '../../identity/constraint-groups.ts'
import { permittedRowsOrNone } from '../../identity/permitted-rows.ts'
import { T } from '../../read/query/alias.ts'
import { compileFilter } from '../../read/query/compile-filter.ts'
import { displayOf } from '../../read/query/display.ts'
import { MOST_NESTED_GROUPS, parseGroup, searchOf } from '../../read/query/dynamic-groups.ts'
import { RefusedValue } from '../../read/query/refused-value.ts'
import { RelatedValues } from '../../read/query/related-values.ts'
import { NO_ROWS } from '../../read/query/row-predicate.ts'
import { applyRowSecurity, type RowSecurity } from '../../read/query/row-security.ts'
import { isJsonObject, parseJson } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import type { Refusal } from '../../schema/rule.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { identifier, join, type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import type { WriteContext } from '../context.ts'
import { addRefusal, type Draft } from '../draft.ts'
import type { StoredRow } from '../rows.ts'

/** Models whose constraints decide what users may do. */
const GUARDED = [SYSTEM.objectPermission, SYSTEM.changePolicy]

/** A dynamic group with the groups that its filters name. */
interface Node {
  /** 0 for a new group. */
  readonly id: number
  readonly slug: string
  readonly names: readonly GroupName[]
}
interface GroupName {
  readonly by: 'id' | 'slug'
  readonly name: string
}

/** An object that names a dynamic group. */
interface Use extends GroupName {
  readonly model: string
  readonly id: number
  readonly label: string
}

/**
 * Refuses dynamic groups whose filters do not exist or have values that cannot be used, that contain themselves, or on
 * which permissions and policies depend that the user may not change; and constraints that name no group.
 */
export async function checkDynamicGroups(
  context: WriteContext,
  drafts: readonly Draft[],
  security: RowSecurity,
): Promise<void> {
  const name = drafts[0]?.model.name
  if (name === SYSTEM.dynamicGroup) {
    await checkFilters(context, drafts, security)
    await checkUses(context, drafts)
  } else if (GUARDED.some((guarded) => guarded === name)) await checkNames(context, drafts, security)
}

/** Refuses constraints that name a group that does not exist. */
async function checkNames({ transaction }: WriteContext, drafts: readonly Draft[], security: RowSecurity) {
  const namedIn = ({ next: { constraints } }: Draft) => groupsNamedIn([constraints].flat().filter(isJsonObject))
  const slugs = drafts.flatMap(namedIn)
  if (slugs.length === 0) return
  const statement = sql`select g.slug from ${table(SYSTEM.dynamicGroup)} g where g.slug = any(${slugs}::text[])`
  const groups = await transaction.query<{ slug: string }>(applyRowSecurity(security, statement))
  const existing = new Set(groups.map(({ slug }) => slug))
  for (const draft of drafts) {
    const missing = namedIn(draft).find((slug) => !existing.has(slug))
    if (missing !== undefined) addRefusal(draft, { constraints: `There is no dynamic group "${missing}".` })
  }
}

/** Refuses filters that do not exist, and values that cannot be used, each by the name of its parameter. */
async function checkFilters(context: WriteContext, drafts: readonly Draft[], security: RowSecurity): Promise<void> {
  const { service, transaction, actor } = context
  const related = new RelatedValues(transaction, security)
  for (const draft of drafts) {
    const model = service.registry.models.get(String(draft.next.object_type))
    if (!model || !isChanged(draft, 'parameters', 'object_type')) continue
    const { visibleRows, registry } = security
    const filtered = { ...{ registry, model, alias: T, related, database: transaction, visibleRows }, user: actor.id }
    const { filters, refused } = await parseGroup(filtered, model, draft.next.parameters)
    const messages = new Map(Object.entries(refused))
    for (const [name, filter] of filters) {
      const compile = () => compileFilter(filter, { ...filtered, groups: draft.next.id === 0 ? [] : [draft.next.id] })
      try {
        // The database itself refuses some values, which would end the transaction.
        await transaction.savepoint(compile)
      } catch (error) {
        if (!(error instanceof RefusedValue)) throw error
        messages.set(name, [error.message])
      }
    }
    if (messages.size > 0) addRefusal(draft, { parameters: Object.fromEntries(messages) })
  }
}

const isChanged = ({ previous, next }: Draft, ...names: readonly string[]): boolean =>
  !previous || names.some((name) => JSON.stringify(previous[name]) !== JSON.stringify(next[name]))

/** Refuses cycles, too many nested groups, and changes of groups that others depend on. */
async function checkUses(context: WriteContext, drafts: readonly Draft[]): Promise<void> {
  const changed = drafts.filter((draft) => isChanged(draft, 'parameters', 'object_type', 'slug'))
  if (changed.length === 0) return
  const uses = await usesOfGroups(context.service.registry, context.transaction)
  const nodes = await nodesWith(context.transaction, drafts)
  const guards = uses.filter(({ model }) => GUARDED.some((guarded) => guarded === model))
  const unchangeable = await unchangeableGuards(context, guards)
  for (const draft of changed) {
    const node = nodeOf(draft)
    const refusal = refuseNesting(node, nodes) ?? refuseRenaming(draft, uses)
    // A group that did not exist until now may already be named, for example by a configured permission.
    const dependents = [node, ...containing(node, nodes, [])]
    const isGuarded = unchangeable.some((use) => dependents.some((dependent) => isNamed(dependent, use)))
    const guarded = isGuarded && {
      __all__: 'Permissions depend on this group: only users who may change them may change it.',
    }
    if (refusal || guarded) addRefusal(draft, refusal || guarded || {})
  }
}

const isNamed = ({ id, slug }: Pick<Node, 'id' | 'slug'>, { by, name }: GroupName): boolean =>
  by === 'slug' ? name === slug : id !== 0 && name === String(id)

/** Groups whose filters name the group, directly or through others. */
function containing(node: Node, nodes: readonly Node[], seen: readonly Node[]): readonly Node[] {
  return nodes
    .filter((outer) => !seen.includes(outer) && outer.names.some((name) => isNamed(node, name)))
    .flatMap((outer) => [outer, ...containing(outer, nodes, [...seen, outer])])
}

/** Number of groups in the longest chain in this direction, the group included; infinite for a cycle. */
function depthOf(node: Node, next: (node: Node) => readonly Node[], path: readonly Node[] = []): number {
  if (path.includes(node)) return Number.POSITIVE_INFINITY
  return 1 + Math.max(0, ...next(node).map((inner) => depthOf(inner, next, [...path, node])))
}

function refuseNesting(node: Node, nodes: readonly Node[]): Refusal | undefined {
  const self = nodes.find(({ id, slug }) => id === node.id && slug === node.slug) ?? node
  const inner = depthOf(self, ({ names }) => nodes.filter((node) => names.some((name) => isNamed(node, name))))
  if (inner === Number.POSITIVE_INFINITY) return { parameters: 'A dynamic group cannot contain itself.' }
  const outer = depthOf(self, (from) => nodes.filter(({ names }) => names.some((name) => isNamed(from, name))))
  return inner + outer - 1 > MOST_NESTED_GROUPS
    ? { parameters: `At most ${MOST_NESTED_GROUPS} dynamic groups may refer to one another in a row.` }
    : undefined
}

/** What names a group by its slug would no longer find it, and what relies on its type would find nothing. */
function refuseRenaming({ previous, next }: Draft, uses: readonly Use[]): Refusal | undefined {
  if (!previous) return undefined
  const users = uses.filter((use) => isNamed({ id: previous.id, slug: String(previous.slug) }, use))
  if (previous.object_type !== next.object_type && users.length > 0) {
    return { object_type: 'The object type of a group that is in use cannot change.' }
  }
  return previous.slug !== next.slug && users.some(({ by }) => by === 'slug')
    ? { slug: 'The slug of a group that filters or constraints name cannot change.' }
    : undefined
}

const nodeOf = ({ next }: Draft): Node => ({
  id: next.id,
  slug: String(next.slug),
  names: namesIn(next.parameters),
})

const namesIn = (parameters: unknown): readonly GroupName[] =>
  [...searchOf(parameters)].flatMap(([key, name]) => {
    const [base] = key.split('__')
    if (base !== DYNAMIC_GROUP && base !== `${DYNAMIC_GROUP}_id`) return []
    return [{ by: base === DYNAMIC_GROUP ? 'slug' : 'id', name } as const]
  })

/** All groups as they are after the write. */
async function nodesWith(queryable: Queryable, drafts: readonly Draft[]): Promise<readonly Node[]> {
  const written = drafts.map(nodeOf)
  const ids = new Set(written.map(({ id }) => id))
  const stored = await queryable.query<{ id: number; slug: string; parameters: string }>(sql`
    select g.id, g.slug, g.parameters from ${table(SYSTEM.dynamicGroup)} g`)
  return [
    ...stored.flatMap(({ id, slug, parameters }) =>
      ids.has(id) ? [] : [{ id, slug, names: namesIn(parseJson(parameters)) }],
    ),
    ...written,
  ]
}

/** Those of the permissions and policies that the user may not change. */
async function unchangeableGuards(
  { actor, service, transaction }: WriteContext,
  guards: readonly Use[],
): Promise<readonly Use[]> {
  const unchangeable: Use[] = []
  for (const [name, list] of Map.groupBy(guards, ({ model }) => model)) {
    const model = service.registry.model(name)
    const permitted = permittedRowsOrNone(actor, 'change', model, service.settings)
    if (permitted === 'all') continue
    const ids = list.map(({ id }) => id)
    const rows =
      permitted === NO_ROWS
        ? []
        : await transaction.query<{ id: number }>(
            sql`select t.id from ${table(model)} t where t.id = any(${ids}::bigint[]) and ${permitted}`,
          )
    const changeable = new Set(rows.map(({ id }) => id))
    unchangeable.push(...list.filter(({ id }) => !changeable.has(id)))
  }
  return unchangeable
}

/** Everything that names a dynamic group. */
async function usesOfGroups(registry: Registry, queryable: Queryable): Promise<readonly Use[]> {
  const inConstraints = (model: string): Sql => sql`
    select ${model} as model, u.id, u.name as label, 'slug' as by, c.value #>> '{}' as name
    from ${table(model)} u, jsonb_path_query(u.constraints::jsonb, 'lax $[*]') alternative,
      jsonb_each(case when jsonb_typeof(alternative) = 'object' then alternative else '{}' end) c
    where c.key ~ ${`(^|__)${DYNAMIC_GROUP}$`}`
  const inFilters = sql`
    select ${SYSTEM.dynamicGroup} as model, u.id, u.name as label,
      case when p.key ~ '_id(__n)?$' then 'id' else 'slug' end as by, item #>> '{}' as name
    from ${table(SYSTEM.dynamicGroup)} u, jsonb_each(u.parameters::jsonb) p, jsonb_path_query(p.value, 'lax $[*]') item
    where p.key ~ ${`^${DYNAMIC_GROUP}(_id)?(__n)?$`}`
  const assigned = registry.model(SYSTEM.dynamicGroup).referrers.flatMap((referrer) => {
    if (referrer.kind !== 'manyToMany') return []
    const { model, table: joined } = referrer
    const [user, group] = [identifier('j', joined.ownColumn), identifier('j', joined.otherColumn)]
    return [
      sql`select ${model.name} as model, u.id, ${displayOf(model, sql`u`)} as label, 'id' as by, ${group}::text as name
        from ${table(joined)} j join ${table(model)} u on u.id = ${user}`,
    ]
  })
  const guards = GUARDED.filter((name) => registry.models.has(name))
  const parts = [...guards.map(inConstraints), inFilters, ...assigned]
  return await queryable.query<Use & Record<string, unknown>>(join(parts, ' union all '))
}

/** The first of the groups that is in use, with a sentence that names its users; hidden ones are counted. */
export async function groupInUse(
  { transaction, service, security }: WriteContext,
  { name }: Model,
  groups: readonly StoredRow[],
): Promise<{ readonly id: number; readonly sentence: string } | undefined> {
  if (name !== SYSTEM.dynamicGroup) return undefined
  const deleted = new Set(groups.map(({ id }) => id))
  const uses = (await usesOfGroups(service.registry, transaction)).filter(
    ({ model, id }) => model !== SYSTEM.dynamicGroup || !deleted.has(id),
  )
  for (const group of groups) {
    const users = uses.filter((use) => isNamed({ id: group.id, slug: String(group.slug) }, use))
    if (users.length === 0) continue
    const labels: string[] = []
    for (const [modelName, list] of Map.groupBy(users, ({ model }) => model)) {
      const model = service.registry.model(modelName)
      const ids = list.map(({ id }) => id)
      const statement = sql`select t.id from ${table(model)} t where t.id = any(${ids}::bigint[])`
      const rows = await transaction.query<{ id: number }>(applyRowSecurity(security, statement))
      const visible = new Set(rows.map(({ id }) => id))
      const [label] = model.definition.labels
      labels.push(
        ...new Set(list.map((use) => (visible.has(use.id) ? `${label} "${use.label}"` : `a hidden ${label}`))),
      )
    }
    return { id: group.id, sentence: `The dynamic group "${group.name}" is used by ${labels.join(', ')}.` }
  }
  return undefined
}

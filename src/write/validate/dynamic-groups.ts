import { permittedRowsOrNone } from '../../identity/permitted-rows.ts'
import { MOST_NESTED_GROUPS, parseGroup } from '../../read/groups/conditions.ts'
import { groupsNamedIn } from '../../read/groups/constraints.ts'
import {
  containing,
  type GroupNode,
  GUARDED,
  isNameOf,
  namesIn,
  storedGroups,
  type Use,
  usesOfGroups,
} from '../../read/groups/uses.ts'
import { T } from '../../read/query/alias.ts'
import { compileFilter } from '../../read/query/compile-filter.ts'
import { RefusedValue } from '../../read/query/refused-value.ts'
import { RelatedValues } from '../../read/query/related-values.ts'
import { NO_ROWS } from '../../read/query/row-predicate.ts'
import { applyRowSecurity, type RowSecurity } from '../../read/query/row-security.ts'
import { isJsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import type { Refusal } from '../../schema/rule.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import type { WriteContext } from '../context.ts'
import { addRefusal, type Draft } from '../draft.ts'
import type { StoredRow } from '../rows.ts'

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
    const isGuarded = unchangeable.some((use) => dependents.some((dependent) => isNameOf(dependent, use)))
    const guarded = isGuarded && {
      __all__: 'Permissions depend on this group: only users who may change them may change it.',
    }
    if (refusal || guarded) addRefusal(draft, refusal || guarded || {})
  }
}

/** Number of groups in the longest chain in this direction, the group included; infinite for a cycle. */
function depthOf(
  node: GroupNode,
  next: (node: GroupNode) => readonly GroupNode[],
  path: readonly GroupNode[] = [],
): number {
  if (path.includes(node)) return Number.POSITIVE_INFINITY
  return 1 + Math.max(0, ...next(node).map((inner) => depthOf(inner, next, [...path, node])))
}

function refuseNesting(node: GroupNode, nodes: readonly GroupNode[]): Refusal | undefined {
  const self = nodes.find(({ id, slug }) => id === node.id && slug === node.slug) ?? node
  const inner = depthOf(self, ({ names }) => nodes.filter((node) => names.some((name) => isNameOf(node, name))))
  if (inner === Number.POSITIVE_INFINITY) return { parameters: 'A dynamic group cannot contain itself.' }
  const outer = depthOf(self, (from) => nodes.filter(({ names }) => names.some((name) => isNameOf(from, name))))
  return inner + outer - 1 > MOST_NESTED_GROUPS
    ? { parameters: `At most ${MOST_NESTED_GROUPS} dynamic groups may refer to one another in a row.` }
    : undefined
}

/** What names a group by its slug would no longer find it, and what relies on its type would find nothing. */
function refuseRenaming({ previous, next }: Draft, uses: readonly Use[]): Refusal | undefined {
  if (!previous) return undefined
  const users = uses.filter((use) => isNameOf({ id: previous.id, slug: String(previous.slug) }, use))
  if (previous.object_type !== next.object_type && users.length > 0) {
    return { object_type: 'The object type of a group that is in use cannot change.' }
  }
  return previous.slug !== next.slug && users.some(({ by }) => by === 'slug')
    ? { slug: 'The slug of a group that filters or constraints name cannot change.' }
    : undefined
}

const nodeOf = ({ next }: Draft): GroupNode => ({
  id: next.id,
  slug: String(next.slug),
  names: namesIn(next.parameters),
})

/** All groups as they are after the write. */
async function nodesWith(queryable: Queryable, drafts: readonly Draft[]): Promise<readonly GroupNode[]> {
  const written = drafts.map(nodeOf)
  const ids = new Set(written.map(({ id }) => id))
  return [...(await storedGroups(queryable)).filter(({ id }) => !ids.has(id)), ...written]
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
    const users = uses.filter((use) => isNameOf({ id: group.id, slug: String(group.slug) }, use))
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

import type { Model } from '../../schema/registry.ts'
import type { Step } from '../../schema/step.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { identifier, raw, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { Relation } from '../query/join-step.ts'

/** Objects at the other end of a cable, or of the whole path. */
export interface Link {
  readonly kind: 'link'
  readonly from: Model
  readonly to: Model
  readonly reach: 'peer' | 'connected'
}

const TERMINATIONS = 'cable_terminations'

/**
 * The link with the name: `peer_interfaces` leads to the interfaces at the other end of the cable, and
 * `connected_interfaces` to those at the end of the path. What no path ends at, such as a circuit termination, is
 * connected if it is on the way.
 */
export function linkNamed(model: Model, name: string): Link | undefined {
  const [, reach, plural] = /^(peer|connected)_(\w+)$/.exec(name) ?? []
  const link = reach === 'peer' || reach === 'connected' ? reach : undefined
  if (!link || (link === 'connected' && !model.steps.has('_path'))) return undefined
  const to = linkableModels(model).find((target) => pluralOf(target) === plural)
  return to && { kind: 'link', from: model, to, reach: link }
}

/** The names of all links of the model. */
export const linksOf = (model: Model): readonly string[] =>
  linkableModels(model).flatMap((to) => [
    `peer_${pluralOf(to)}`,
    ...(model.steps.has('_path') ? [`connected_${pluralOf(to)}`] : []),
  ])

function linkableModels(model: Model): readonly Model[] {
  const terminations = model.steps.get(TERMINATIONS)
  if (terminations?.kind !== 'reverseGeneric') return []
  return [...terminations.to.steps.values()].flatMap((step) => (step.kind === 'genericTo' ? [step.to] : []))
}

const pluralOf = ({ definition }: Model): string => definition.labels[1].toLowerCase().replaceAll(' ', '_')

/** Rows with the columns `owner` and `related`. */
export function linkedRows({ from, to, reach }: Link): Sql {
  if (reach === 'connected') {
    const node = `${to.name}:`
    const nodes = to.steps.has('_path')
      ? sql`jsonb_array_elements_text(p.path::jsonb -> -1) node where p.is_complete`
      : sql`jsonb_array_elements_text(jsonb_path_query_array(p.path::jsonb, '$[*][*]')) node where true`
    return sql`(
      select o.id as owner, substr(node, ${node.length + 1}::integer)::bigint as related
      from ${table(from)} o join ${table(SYSTEM.cablePath)} p on p.id = o._path_id
      cross join ${nodes} and starts_with(node, ${node}))`
  }
  const ends = table(SYSTEM.cableTermination)
  return sql`(
    select mine.termination_id as owner, other.termination_id as related
    from ${ends} mine join ${ends} other on other.cable_id = mine.cable_id and other.cable_end <> mine.cable_end
    where mine.termination_type = ${from.name} and other.termination_type = ${to.name})`
}

/** The steps by which a change of the link, or of what it leads to, is followed to its beginning. */
export function stepsOfLink({ from, to, reach }: Link): readonly (readonly [Model, Relation | Ends])[] {
  if (reach === 'connected') {
    const path = relation(from, '_path')
    return [
      [from, path],
      [path.to, { kind: 'ends', to }],
    ]
  }
  const mine = relation(from, TERMINATIONS)
  const cable = relation(mine.to, 'cable')
  const others = relation(cable.to, 'terminations')
  return [
    [from, mine],
    [mine.to, cable],
    [cable.to, others],
    [others.to, relation(others.to, `termination:${to.name}`)],
  ]
}

/** From a path to the objects at its end. */
export interface Ends {
  readonly kind: 'ends'
  readonly to: Model
}

/** The paths, with their ids as `owner`, that end at objects with ids that the condition on `related` selects. */
export const pathsTo = ({ to }: Ends, ids: readonly number[]): Sql =>
  sql`select p.id as owner from ${table(SYSTEM.cablePath)} p
    where p.${identifier('_nodes')} && ${ids.map((id) => `${to.name}:${id}`)}::${raw('text[]')}`

/** Networks that contain a network or an address, or what a network contains, in the same VRF. */
export interface Containment {
  readonly kind: 'containment'
  readonly from: Model
  readonly to: Model
  readonly reach: 'containing' | 'contained'
}

/** The name of the relation to the VRF in which an address or a network is unique. */
const VRF = 'vrf'

/** `contained_ip_addresses` leads from a prefix to the addresses in it, and `containing_prefixes` back. */
export const containmentNamed = (model: Model, name: string): Containment | undefined =>
  containmentsOf(model).find(({ to, reach }) => name === `${reach}_${pluralOf(to)}`)

/** The names of all such relations of the model. */
export const containmentNames = (model: Model): readonly string[] =>
  containmentsOf(model).map(({ to, reach }) => `${reach}_${pluralOf(to)}`)

function containmentsOf(from: Model): readonly Containment[] {
  const own = networkOf(from)
  const vrf = from.steps.get(VRF)
  if (!own || vrf?.kind !== 'foreignKey') return []
  return [...vrf.to.steps.values()].flatMap((step): Containment[] => {
    if (step.kind !== 'reverseForeignKey' || step.column !== step.to.columns.get(VRF)) return []
    const to = step.to
    return [
      ...(networkOf(to)?.isNetwork ? [{ kind: 'containment', from, to, reach: 'containing' } as const] : []),
      ...(own.isNetwork && networkOf(to) ? [{ kind: 'containment', from, to, reach: 'contained' } as const] : []),
    ]
  })
}

/** The column with the address or the network of a model, if it has one. */
function networkOf(model: Model): { readonly column: string; readonly isNetwork: boolean } | undefined {
  const [first, ...more] = [...model.fields].flatMap(([name, { kind }]) =>
    (kind === 'address' || kind === 'network') && model.answer.includes(name) ? [{ name, kind }] : [],
  )
  const column = first && more.length === 0 ? model.columns.get(first.name) : undefined
  return column && { column: column.name, isNetwork: first?.kind === 'network' }
}

/** Condition that the row `to` is what the relation leads to from the row `from`. */
export function isContained({ from, to, reach }: Containment, fromRow: Sql, toRow: Sql): Sql {
  const at = (model: Model, row: Sql) => sql`${row}.${identifier(networkOf(model)?.column ?? '')}`
  const [own, other] = [at(from, fromRow), at(to, toRow)]
  const [inner, outer] = reach === 'contained' ? [other, own] : [own, other]
  const vrfOf = (model: Model, row: Sql) => sql`${row}.${identifier(model.columns.get(VRF)?.name ?? '')}`
  // A host is inside whatever the length of its own prefix is; the first condition uses the index.
  const isInside =
    from === to ? sql`${inner} << ${outer}` : sql`${inner} && ${outer} and host(${inner})::inet <<= ${outer}`
  return sql`${isInside} and ${vrfOf(from, fromRow)} is not distinct from ${vrfOf(to, toRow)}`
}

function relation(model: Model, name: string): Relation {
  const step: Step | undefined = model.steps.get(name)
  if (!step || step.kind === 'column') throw new Error(`${model.name} has no relation ${name}`)
  return step
}

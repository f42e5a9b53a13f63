import { oncePer } from '../../schema/once-per.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { identifier, join, raw, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { folded } from '../query/fold.ts'
import type { RowSecurity } from '../query/row-security.ts'
import { type SearchedField, searchedFields } from './entries.ts'
import { isVisibleEntry, type SearchLookup } from './matching-entries.ts'
import type { AddressTerm, Term } from './term.ts'

/** A named query for matches beyond the text. */
export interface FoundWith {
  readonly name: Sql
  readonly rows: Sql
  /** Models that may have matches. */
  readonly models: readonly Model[]
}

/**
 * Matches of a term that is an IP or MAC address: objects with the address, in any spelling, and networks and ranges
 * that contain it. At most one query; none for other terms and lookups.
 */
export function addressMatches(
  security: RowSecurity,
  { address, hardwareAddress }: Term,
  lookup: SearchLookup,
): FoundWith[] {
  if (lookup !== 'icontains' && lookup !== 'iexact') return []
  const queries: Sql[] = []
  const models = new Set<Model>()
  for (const [model, fields] of searchedFields(security.registry)) {
    const modelQueries = fields.flatMap((field) => [
      ...(address ? addressQuery(model, field, address, lookup) : []),
      ...(address && isRange(security.registry, model, field)
        ? rangeQuery(security.registry, model, field, address)
        : []),
    ])
    queries.push(...modelQueries)
    const hasAddress = hardwareAddress && fields.some(({ kind }) => kind === 'hardwareAddress')
    if (modelQueries.length > 0 || hasAddress) models.add(model)
  }
  if (hardwareAddress !== undefined) queries.push(entriesOf(security, hardwareAddress))
  if (queries.length === 0) return []
  return [{ name: sql`near0`, rows: join(queries, ' union all '), models: [...models] }]
}

const entriesOf = (security: RowSecurity, address: string): Sql => sql`
  select e.object_type, e.object_id, e.field, e.value, e.weight from ${table(SYSTEM.searchEntry)} e
  where e.kind = 'hardwareAddress' and ${folded(sql`e.value`, 'plain')} = ${address} and ${isVisibleEntry(security, typesOfHardwareAddresses(security.registry))}`

const typesOfHardwareAddresses = oncePer((registry: Registry): readonly string[] =>
  [...searchedFields(registry)]
    .filter(([, fields]) => fields.some(({ kind }) => kind === 'hardwareAddress'))
    .map(([{ name }]) => name),
)

/** Rows with the address, or networks that contain it. */
function addressQuery(
  model: Model,
  field: SearchedField,
  { host, network }: AddressTerm,
  lookup: SearchLookup,
): readonly Sql[] {
  if (field.kind === 'address') {
    const column = columnOf(model, field.name)
    // The first condition alone can use the index.
    const isEqual = sql`${column} && ${host}::inet and host(${column}) = host(${host}::inet)`
    return [matchesOf(model, field, isEqual)]
  }
  if (field.kind !== 'network' || lookup !== 'icontains') return []
  return [matchesOf(model, field, sql`${columnOf(model, field.name)} >>= ${network}::inet`)]
}

const isRange = (registry: Registry, model: Model, { name }: SearchedField): boolean =>
  registry.view(model).search?.range?.[0] === name

function rangeQuery(
  registry: Registry,
  model: Model,
  field: SearchedField,
  { host, isHost }: AddressTerm,
): readonly Sql[] {
  const range = registry.view(model).search?.range
  if (!range || !isHost) return []
  const [first, last] = range.map((name) => sql`host(${columnOf(model, name)})::inet`)
  return [matchesOf(model, field, sql`${first} <= ${host}::inet and ${last} >= ${host}::inet`)]
}

const matchesOf = (model: Model, { name, text, weight }: SearchedField, condition: Sql): Sql => sql`
  select ${model.name}::text as object_type, t.id as object_id, ${name}::text as field,
    ${text} collate "C" as value, ${weight}::smallint as weight
  from ${table(model)} t where ${condition}`

/** Steps from an address through its interface to the device. */
const MOST_STEPS = 3

/** Objects reached from the matches by the relations that the views declare: one query for each step. */
export function ownersOf(registry: Registry, near: readonly FoundWith[]): FoundWith[] {
  const matches: FoundWith[] = []
  let source = near[0]
  for (let step = 1; source && step <= MOST_STEPS; step++) {
    const leads = source.models.flatMap((model) => leadsFrom(registry, model, source?.name ?? sql``))
    if (leads.length === 0) break
    source = {
      name: raw(`near${step}`),
      rows: join(
        leads.map(({ rows }) => rows),
        ' union all ',
      ),
      models: [...new Set(leads.map(({ to }) => to))],
    }
    matches.push(source)
  }
  return matches
}

/** Queries for the objects reached from the model's matches in the query `source`, by their model. */
function leadsFrom(registry: Registry, model: Model, source: Sql): readonly Lead[] {
  const relation = registry.view(model).search?.leadsTo
  if (relation === undefined) return []
  return [...model.steps].flatMap(([name, step]) => {
    if (step.kind === 'foreignKey' && name === relation) {
      return [lead(model, source, step.to, sql`t.${identifier(step.column.name)}`)]
    }
    if (step.kind !== 'genericTo' || !name.startsWith(`${relation}:`)) return []
    const isOfType = sql`t.${identifier(step.typeColumn.name)} = ${step.to.name}`
    return [lead(model, source, step.to, sql`t.${identifier(step.idColumn.name)} and ${isOfType}`)]
  })
}

interface Lead {
  readonly to: Model
  readonly rows: Sql
}

/** Query for the objects of a model reached by a relation; `key`: the id in the row `t`, with its condition. */
const lead = (model: Model, source: Sql, to: Model, key: Sql): Lead => ({
  to,
  rows: sql`
    select ${to.name}::text as object_type, o.id as object_id, n.field, n.value,
      (n.weight + 1)::smallint as weight
    from ${source} n join ${table(model)} t on t.id = n.object_id join ${table(to)} o on o.id = ${key}
    where n.object_type = ${model.name}`,
})

function columnOf(model: Model, name: string): Sql {
  const column = model.columns.get(name)
  if (!column) throw new Error(`${model.name}: no column ${name}`)
  return sql`t.${identifier(column.name)}`
}

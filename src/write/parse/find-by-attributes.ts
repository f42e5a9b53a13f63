import { T } from '../../read/query/alias.ts'
import { columnOf } from '../../read/query/column.ts'
import { TEXT_OPERATORS } from '../../read/query/lookups.ts'
import { applyRowSecurity, type RowSecurity } from '../../read/query/row-security.ts'
import type { Model } from '../../schema/registry.ts'
import { identifier, join, raw, type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import { type AttributeQuery, type AttributeTerm, queryOf } from './attribute-query.ts'
import type { FoundIds } from './found-ids.ts'

/** Ids by the keys of queries. */
export type FoundByAttributes = ReadonlyMap<string, readonly number[]>

/** What a search needs of a write. */
export interface Search {
  readonly transaction: Queryable
  readonly security: RowSecurity
  readonly found: Pick<FoundIds, 'of'>
}

/**
 * Number of queries from which related objects are looked up first. A single object is found faster in one statement.
 */
const MANY = 10

/** At most two ids per dictionary: a second one shows that the first is not unique. */
export async function findByAttributes(
  context: Search,
  model: Model,
  queries: readonly AttributeQuery[],
): Promise<FoundByAttributes> {
  const matches = new Map<string, readonly number[]>()
  const singles = context.found.of(model)
  const pending = queries.filter(({ key }) => {
    const id = singles.get(key)
    if (id !== undefined) matches.set(key, [id])
    return id === undefined
  })
  if (pending.length === 0) return matches
  const sought =
    pending.length < MANY ? withKnownIds(context, model, pending) : await withRelatedIds(context, model, pending)
  const signatureOf = ({ terms }: AttributeQuery) =>
    terms.map(({ path, lookup, value }) => `${path} ${value === null ? 'null' : lookup}`).join()
  for (const group of Map.groupBy(sought, signatureOf).values()) {
    const terms = group[0]?.terms ?? []
    const column = columnOf(model, T)
    const parameters: Sql[] = [sql`${group.map((_, index) => index)}::int[]`]
    const names: Sql[] = [identifier('position')]
    const conditions = terms.map(({ path, type, folding, lookup, value }, index) => {
      if (value === null) return sql`${column(path)} is null`
      const name = identifier(`v${index}`)
      const operator = TEXT_OPERATORS[lookup]
      const bound = group.map((query) => operator.bound(query.terms[index]?.value ?? ''))
      parameters.push(sql`${bound}::text[]`)
      names.push(name)
      return lookup === 'exact'
        ? operator.sql(column(path), sql`q.${name}::${raw(type)}`, folding)
        : operator.sql(sql`${column(path)}::text`, sql`q.${name}`, folding)
    })
    const statement = sql`
      select q.position, r.id from unnest(${join(parameters)}) as q(${join(names)})
      cross join lateral (
        select t.id from ${table(model)} t where ${join(conditions, ' and ')} limit 2
      ) r`
    const rows = await context.transaction.query<{ position: number; id: number }>(
      applyRowSecurity(context.security, statement),
    )
    for (const { position, id } of rows) {
      const key = group[position]?.key ?? ''
      matches.set(key, [...(matches.get(key) ?? []), id])
    }
  }
  for (const { key } of pending) {
    const [id, second] = matches.get(key) ?? []
    if (id !== undefined && second === undefined) singles.set(key, id)
  }
  return matches
}

/** Conditions on an object reached by the step `name`. */
interface RelatedQuery {
  readonly name: string
  readonly to: Model
  readonly query: AttributeQuery
  /** The same conditions, by their paths from the object that refers to it. */
  readonly terms: readonly AttributeTerm[]
}

/**
 * The queries with ids in place of the attributes of related objects, of which there are far fewer: an index can then
 * find the object, while a path would be followed in each row. Queries whose related object does not exist are left
 * out.
 */
async function withRelatedIds(
  context: Search,
  model: Model,
  queries: readonly AttributeQuery[],
): Promise<readonly AttributeQuery[]> {
  const parts = queries.map(({ key, terms }) => ({ key, ...partsOf(model, terms) }))
  const byModel = Map.groupBy(
    parts.flatMap(({ related }) => related),
    ({ to }) => to,
  )
  const relatedIds = new Map<Model, FoundByAttributes>()
  for (const [to, list] of byModel) {
    const distinct = new Map(list.map(({ query }) => [query.key, query]))
    relatedIds.set(to, await findByAttributes(context, to, [...distinct.values()]))
  }
  return parts.flatMap(({ key, own, related }) => {
    const terms = [...own]
    for (const { name, to, query, terms: paths } of related) {
      const [id, secondId] = relatedIds.get(to)?.get(query.key) ?? []
      if (id === undefined) return []
      if (secondId === undefined) terms.push(idTerm(name, id))
      else terms.push(...paths)
    }
    return [{ key, terms }]
  })
}

/**
 * The queries with ids in place of the attributes of related objects that this transaction has already found: fewer
 * different statements, each of them faster.
 */
const withKnownIds = ({ found }: Search, model: Model, queries: readonly AttributeQuery[]): readonly AttributeQuery[] =>
  queries.map(({ key, terms }) => {
    const { own, related } = partsOf(model, terms)
    const relatedTerms = related.flatMap(({ name, to, query, terms: paths }) => {
      const id = found.of(to).get(query.key)
      return id === undefined ? paths : [idTerm(name, id)]
    })
    return { key, terms: [...own, ...relatedTerms] }
  })

const idTerm = (name: string, id: number): AttributeTerm => ({
  ...{ path: `${name}.id`, type: 'bigint', folding: 'plain', lookup: 'exact', value: String(id) },
})

/** Separates conditions on related objects that must exist from the others. */
function partsOf(
  { steps }: Model,
  terms: readonly AttributeTerm[],
): { readonly own: readonly AttributeTerm[]; readonly related: readonly RelatedQuery[] } {
  const columnTerms: AttributeTerm[] = []
  const related: RelatedQuery[] = []
  for (const [name, list] of Map.groupBy(terms, ({ path }) => path.split('.', 1)[0] ?? '')) {
    const step = steps.get(name)
    const isFollowed = list.every(({ path }) => path.length > name.length)
    // If all values are null, there need not be an object.
    const isThere = list.some(({ value }) => value !== null)
    const isId = list.every(({ path }) => path === `${name}.id`)
    if (step?.kind !== 'foreignKey' || !isFollowed || !isThere || isId) columnTerms.push(...list)
    else {
      const inner = list.map((term) => ({ ...term, path: term.path.slice(name.length + 1) }))
      related.push({ name, to: step.to, query: queryOf(inner), terms: list })
    }
  }
  return { own: columnTerms, related }
}

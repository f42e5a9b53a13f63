/** Filters of IP addresses by which a view leaves addresses out: `{"status": "active"}`, or a list of which one has to match. */
import { firstCharacters, identifier, join, type Sql, sql, table } from 'cadastre'

/** Columns and related names that a filter may use. */
const COLUMNS: ReadonlyMap<string, (column: (name: Sql) => Sql) => Sql> = new Map(
  Object.entries({
    status: (column: (name: Sql) => Sql) => column(identifier('status')),
    role: (column: (name: Sql) => Sql) => sql`coalesce(${column(identifier('role'))}, '')`,
    dns_name: (column: (name: Sql) => Sql) => column(identifier('dns_name')),
    description: (column: (name: Sql) => Sql) => column(identifier('description')),
    vrf: (column: (name: Sql) => Sql) => sql`${column(identifier('vrf_id'))}::text`,
    vrf_id: (column: (name: Sql) => Sql) => sql`${column(identifier('vrf_id'))}::text`,
    tenant: (column: (name: Sql) => Sql) => sql`${column(identifier('tenant_id'))}::text`,
    tenant_id: (column: (name: Sql) => Sql) => sql`${column(identifier('tenant_id'))}::text`,
    vrf__name: nameOf('ipam.vrf', 'vrf_id', 'name'),
    vrf__rd: nameOf('ipam.vrf', 'vrf_id', 'rd'),
    tenant__name: nameOf('tenancy.tenant', 'tenant_id', 'name'),
    tenant__slug: nameOf('tenancy.tenant', 'tenant_id', 'slug'),
  }),
)

function nameOf(model: string, key: string, field: string) {
  return (column: (name: Sql) => Sql): Sql =>
    sql`(select q.${identifier(field)} from ${table(model)} q where q.id = ${column(identifier(key))})`
}

const LOOKUPS: ReadonlyMap<string, (value: Sql, wanted: string) => Sql> = new Map(
  Object.entries({
    exact: (value: Sql, wanted: string) => sql`${value} = ${wanted}`,
    iexact: (value: Sql, wanted: string) => sql`lower(${value}) = lower(${wanted})`,
    contains: (value: Sql, wanted: string) => sql`strpos(${value}, ${wanted}) > 0`,
    icontains: (value: Sql, wanted: string) => sql`strpos(lower(${value}), lower(${wanted})) > 0`,
    startswith: (value: Sql, wanted: string) => sql`starts_with(${value}, ${wanted})`,
    istartswith: (value: Sql, wanted: string) => sql`starts_with(lower(${value}), lower(${wanted}))`,
    endswith: (value: Sql, wanted: string) => sql`right(${value}, length(${wanted})) = ${wanted}`,
    iendswith: (value: Sql, wanted: string) => sql`right(lower(${value}), length(${wanted})) = lower(${wanted})`,
  }),
)

interface Term {
  readonly value: (column: (name: Sql) => Sql) => Sql
  readonly lookup: (value: Sql, wanted: string) => Sql
  /** One of them; null for no value at all. */
  readonly wanted: readonly string[] | null
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

/** The conditions of a filter, all of one inner list together; or why it cannot be used, as a sentence. */
function termsOf(filter: unknown): readonly (readonly Term[])[] | { readonly problem: string } {
  const groups = Array.isArray(filter) ? filter : [filter]
  const parsed: Term[][] = []
  for (const group of groups) {
    if (typeof group !== 'object' || group === null || Array.isArray(group)) {
      return { problem: 'A filter is an object such as {"status": "active"}, or a list of these.' }
    }
    const terms: Term[] = []
    for (const [key, wanted] of Object.entries(group)) {
      const at = key.lastIndexOf('__')
      const [name, suffix] = COLUMNS.has(key) || at < 0 ? [key, 'exact'] : [key.slice(0, at), key.slice(at + 2)]
      const value = COLUMNS.get(name)
      if (!value)
        return {
          problem: `There is no filter ${firstCharacters(key, 80)}. There are: ${[...COLUMNS.keys()].join(', ')}.`,
        }
      if (suffix === 'isnull') {
        if (wanted !== true) return { problem: `${key} has to be true.` }
        terms.push({ value, lookup: (column) => sql`${column} is null`, wanted: null })
        continue
      }
      const lookup = LOOKUPS.get(suffix === 'in' ? 'exact' : suffix)
      const list = (suffix === 'in' && Array.isArray(wanted) ? wanted : [wanted]).map(textOf)
      if (!lookup)
        return {
          problem: `There is no lookup ${firstCharacters(suffix, 40)}. There are: in, isnull, ${[...LOOKUPS.keys()].join(', ')}.`,
        }
      if (list.some((item) => item === undefined))
        return { problem: `The value of ${key} has to be a text or a number.` }
      terms.push({ value, lookup, wanted: list.filter((item) => item !== undefined) })
    }
    parsed.push(terms)
  }
  return parsed
}

/** Why a filter cannot be used, as a sentence; undefined if it can. */
export function addressFilterProblem(filter: unknown): string | undefined {
  const terms = termsOf(filter)
  return 'problem' in terms ? terms.problem : undefined
}

/** Condition on the columns of an IP address; undefined for a filter that cannot be used, which leaves nothing out. */
export function addressFilterSql(filter: unknown, column: (name: Sql) => Sql): Sql | undefined {
  const groups = termsOf(filter)
  if ('problem' in groups || groups.length === 0) return undefined
  const conditions = groups.map((terms) =>
    terms.length === 0
      ? sql`true`
      : sql`(${join(
          terms.map(({ value, lookup, wanted }) => {
            const shown = value(column)
            if (wanted === null) return lookup(shown, '')
            return wanted.length === 0
              ? sql`false`
              : sql`(${join(
                  wanted.map((text) => lookup(shown, text)),
                  ' or ',
                )})`
          }),
          ' and ',
        )})`,
  )
  return sql`coalesce(${join(conditions, ' or ')}, false)`
}

import { SYSTEM } from '../../schema/system-models.ts'
import { join, type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import { allVisible } from '../query/row-predicate.ts'
import { applyRowSecurity, type RowSecurity } from '../query/row-security.ts'
import { numberApart } from '../query/words.ts'
import { addressMatches, type FoundWith, ownersOf } from './address-matches.ts'
import { matchingEntries, matchingTypes, type SearchLookup } from './matching-entries.ts'
import { parseTerm, type Term } from './term.ts'
import { unnamedMatches, wordMatches } from './word-matches.ts'

/** A search of the whole inventory. */
export interface Search {
  readonly text: string
  readonly lookup: SearchLookup
  /** Names of models; undefined for all. */
  readonly types: readonly string[] | undefined
  readonly limit: number
  readonly offset: number
}

/** The best match of an object. */
export interface Match {
  readonly type: string
  readonly id: number
  readonly field: string
  readonly value: string
  readonly weight: number
}

export interface SearchOutcome {
  /** Number of objects by type. */
  readonly counts: ReadonlyMap<string, number>
  /** False if the term matches so many values that only the best of them were counted. */
  readonly isComplete: boolean
  /** The requested part, best first. */
  readonly matches: readonly Match[]
}

/** Maximum number of entries that are ranked and counted. */
const MOST_ENTRIES = 10_000

/**
 * Objects that the user may view and that have a matching value, or that the words of the text describe together. The
 * best match of each object counts; objects are ordered by weight, then by type, value and id. `text` is a checked
 * expression if the lookup is a regular expression.
 */
export async function findObjects(database: Queryable, security: RowSecurity, search: Search): Promise<SearchOutcome> {
  const { text, lookup } = search
  const described = lookup === 'icontains' ? await wordMatches(database, security.registry, text) : []
  const outcome = await outcomeOf(database, security, search, described)
  if (outcome.counts.size > 0 || lookup !== 'icontains') return outcome
  // Nothing has the text as it is written: a display may, or words written in another way.
  const apart = spelledApart(text)
  const words = apart === text ? [] : await wordMatches(database, security.registry, apart)
  return await outcomeOf(database, security, search, [...words, ...unnamedMatches(security.registry, text)])
}

/** The text with its words apart, and numbers apart from the letters before them: `gi1/0/12` as `gi 1/0/12`. */
const spelledApart = (text: string): string =>
  text
    .split(/[\s,;:›>|]+/)
    .flatMap(numberApart)
    .filter((word) => word !== '')
    .join(' ')

async function outcomeOf(
  database: Queryable,
  security: RowSecurity,
  search: Search,
  described: readonly FoundWith[],
): Promise<SearchOutcome> {
  const term = parseTerm(search.text)
  const types =
    security.visibleRows === allVisible
      ? search.types
      : (await database.queryColumn(matchingTypes(term, search))).map(String)
  const matching = matchingEntries(security, term, { ...search, types })
  const statement = applyRowSecurity(security, searchStatement(security, search, { term, matching, described }))
  const [[counts, entries, matches] = []] = await database.queryArrays(statement)
  // The statement builds objects and lists in these forms.
  const numbers = Object.entries(JSON.parse(String(counts)) as Record<string, number>)
  const rows = JSON.parse(String(matches)) as [string, number, string, string, number][]
  return {
    counts: new Map(numbers),
    isComplete: Number(entries) < MOST_ENTRIES,
    matches: rows.map(([type, id, field, value, weight]) => ({ type, id, field, value, weight })),
  }
}

interface SearchParts {
  readonly term: Term
  readonly matching: Sql
  readonly described: readonly FoundWith[]
}

function searchStatement(security: RowSecurity, search: Search, { term, matching, described }: SearchParts): Sql {
  const near: FoundWith[] = addressMatches(security, term, search.lookup)
  const related = near.length === 0 ? [] : ownersOf(security.registry, near)
  const parts = [...near, ...related, ...described]
  const isWanted = search.types ? sql`where object_type = any(${search.types}::text[])` : sql``
  // One statement in parentheses, because row-level security puts its own definitions in front.
  return sql`select * from (
    with entries as materialized (${matching} order by e.weight, e.object_type limit ${MOST_ENTRIES}),
    ${join(parts.map(({ name, rows }) => sql`${name} as materialized (${rows}), `).concat(sql``), '')}
    found as (${join(
      [sql`entries`, ...parts.map(({ name }) => name)].map(
        (name) => sql`select object_type, object_id, field, value, weight from ${name}`,
      ),
      ' union all ',
    )}),
    best as materialized (
      select distinct on (object_type, object_id) * from found ${isWanted}
      order by object_type, object_id, weight, field),
    page as (
      select b.*, row_number() over (order by b.weight, o.id, b.object_type, b.value, b.object_id) as place
      from best b left join ${table(SYSTEM.objectType)} o on o.app_label || '.' || o.model = b.object_type
      order by place limit ${search.limit} offset ${search.offset})
    select
      (select coalesce(jsonb_object_agg(object_type, n), '{}') from (
        select object_type, count(*) as n from best group by 1) g)::text,
      (select count(*) from entries),
      (select coalesce(jsonb_agg(jsonb_build_array(object_type, object_id, field, value, weight)
        order by place), '[]') from page)::text) s`
}

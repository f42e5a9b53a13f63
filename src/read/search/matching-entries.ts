import { SYSTEM } from '../../schema/system-models.ts'
import { join, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { folded } from '../query/fold.ts'
import { compareText } from '../query/lookups.ts'
import { NO_ROWS } from '../query/row-predicate.ts'
import type { RowSecurity } from '../query/row-security.ts'
import { searchedFields } from './entries.ts'
import type { Term } from './term.ts'

/** How the text of a search is compared with values; all of them ignore case. */
export const SEARCH_LOOKUPS = ['icontains', 'iexact', 'istartswith', 'iendswith', 'iregex'] as const
export type SearchLookup = (typeof SEARCH_LOOKUPS)[number]

const VALUE = sql`e.value`

/** A search for entries of certain types; all types if they are undefined. */
interface EntrySearch {
  readonly lookup: SearchLookup
  readonly types: readonly string[] | undefined
}

/** Query for the object types with a matching entry, whether or not the user may view the objects. */
export const matchingTypes = (term: Term, search: EntrySearch): Sql =>
  sql`select distinct e.object_type from ${table(SYSTEM.searchEntry)} e where ${isWanted(term, search)}`

/** Query for the entries `e` that match and whose objects the user may view. */
export function matchingEntries(security: RowSecurity, term: Term, search: EntrySearch): Sql {
  const conditions = [isWanted(term, search), isVisibleEntry(security, search.types)]
  return sql`select e.object_type, e.object_id, e.field, e.value, e.weight
    from ${table(SYSTEM.searchEntry)} e where ${join(conditions, ' and ')}`
}

const isWanted = (term: Term, { lookup, types }: EntrySearch): Sql =>
  types ? sql`${matches(term, lookup)} and e.object_type = any(${types}::text[])` : matches(term, lookup)

function matches({ text, partOfHardwareAddress: digits }: Term, lookup: SearchLookup): Sql {
  const compared = compareText(lookup, VALUE, text, 'plain')
  if (lookup === 'istartswith' || lookup === 'iendswith') {
    return sql`${compared} and e.kind = 'text'`
  }
  if (lookup === 'iregex') {
    // The first comparison alone can use the index.
    return sql`${folded(VALUE, 'plain')} ~* ${text} and ${compared}`
  }
  if (digits === undefined || lookup !== 'icontains') return compared
  return sql`(${compared} or e.kind = 'hardwareAddress' and ${compareText(lookup, VALUE, digits, 'plain')})`
}

/**
 * Predicate: the user may view the object of the entry `e`, and the object that its value names. `types`: those of the
 * entries; the database has to plan the permissions for each of them.
 */
export function isVisibleEntry({ registry, visibleRows }: RowSecurity, types: readonly string[] | undefined): Sql {
  const open: string[] = []
  const conditions: Sql[] = []
  const hidden: Sql[] = []
  let isAllVisible = true
  for (const [model, fields] of searchedFields(registry)) {
    if (types && !types.includes(model.name)) continue
    const rows = visibleRows(model)
    if (rows !== 'all') isAllVisible = false
    if (rows === NO_ROWS) continue
    if (rows === 'all') open.push(model.name)
    else {
      conditions.push(
        sql`(e.object_type = ${model.name} and exists (select from ${table(model)} v where v.id = e.object_id))`,
      )
    }
    for (const { name, shows } of fields) {
      if (!shows || visibleRows(shows) === 'all') continue
      hidden.push(sql`not (e.object_type = ${model.name} and e.field = ${name})`)
    }
  }
  if (isAllVisible) return sql`true`
  const any = [sql`e.object_type = any(${open}::text[])`, ...conditions]
  return join([sql`(${join(any, ' or ')})`, ...hidden], ' and ')
}

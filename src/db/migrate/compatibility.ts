import type { StoredColumn, StoredPart, StoredSchema, StoredTable } from './stored-schema.ts'

/**
 * Reasons why a program that declares `used` cannot work with `tables`, which another version has created; empty if
 * these only have more than it declares. Each reason is a part of a sentence.
 */
export function obstaclesOf(used: StoredSchema, tables: StoredSchema): readonly string[] {
  const ofColumns = Object.entries(used.tables).flatMap(([name, table]) => {
    const current = tables.tables[name]
    return current ? columnObstacles(name, table, current) : [`the table ${name} is removed`]
  })
  return [...ofColumns, ...uniqueObstacles(used, tables)]
}

/** Number of obstacles that a sentence names. */
const NAMED = 3

/** The first obstacles, as a part of a sentence. */
export const obstaclesText = (obstacles: readonly string[]): string =>
  [...obstacles.slice(0, NAMED), ...(obstacles.length > NAMED ? [`${obstacles.length - NAMED} more`] : [])].join('; ')

function columnObstacles(name: string, { columns }: StoredTable, current: StoredTable): readonly string[] {
  const ofUsed = Object.entries(columns).flatMap(([column, before]) => {
    const after = current.columns[column]
    if (!after) return [`the column ${name}.${column} is removed`]
    return isSame(before, after) ? [] : [`the column ${name}.${column} has another type`]
  })
  const required = Object.entries(current.columns).filter(
    ([column, after]) => !columns[column] && !after.nullable && after.default === undefined && !after.identity,
  )
  return [...ofUsed, ...required.map(([column]) => `the column ${name}.${column} is new and required`)]
}

/**
 * A prepared statement fails once if the type of its result changes, and an absent value causes an error if the program
 * does not expect one.
 */
const isSame = (before: StoredColumn, after: StoredColumn): boolean =>
  before.type === after.type &&
  before.collation === after.collation &&
  before.nullable === after.nullable &&
  (before.default === undefined || after.default !== undefined)

/** New unique constraints of columns that both versions have: the earlier one does not check them. */
function uniqueObstacles(used: StoredSchema, tables: StoredSchema): readonly string[] {
  const before = new Map(uniqueParts(used))
  return uniqueParts(tables)
    .filter(([name, { table, definition }]) => used.tables[table] && before.get(name)?.definition !== definition)
    .filter(([, { table, definition }]) => {
      const columns = Object.keys(tables.tables[table]?.columns ?? {})
      return !columns.some((column) => !used.tables[table]?.columns[column] && definition.includes(`"${column}"`))
    })
    .map(([name]) => `the constraint ${name} is new`)
}

const uniqueParts = ({ constraints, indexes }: StoredSchema): readonly (readonly [string, StoredPart])[] => [
  ...Object.entries(constraints).filter(([, { definition }]) => definition.startsWith('unique')),
  ...Object.entries(indexes).filter(([, { unique }]) => unique),
]

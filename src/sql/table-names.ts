/** A table with the model whose rows, or whose relation to another model, it contains. */
export interface TableReference {
  /** Name in the database. */
  readonly table: string
  /** Name of the model. */
  readonly model: string
}

/** Tables by the names of their models and relations: `dcim.site`, `dcim.site.asns`. */
const declared = new Map<string, TableReference>()
const names = new Set<string>()

/** Declares tables by name. Throws if one name gets two tables. */
export function declareTables(tables: Iterable<readonly [string, TableReference]>): void {
  for (const [name, reference] of tables) {
    const existing = declared.get(name)
    if (existing && existing.table !== reference.table) {
      throw new Error(`${name} has the tables ${existing.table} and ${reference.table}`)
    }
    declared.set(name, reference)
    names.add(reference.table)
  }
}

/** The table of a model or relation. Throws if none is declared. */
export function declaredTable(name: string): TableReference {
  const reference = declared.get(name)
  if (!reference) throw new Error(`No table is declared for ${name}`)
  return reference
}

/** True if a table with this name in the database is declared. */
export const isDeclaredTable = (name: string): boolean => names.has(name)

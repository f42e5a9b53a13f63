import type { Registry } from '../../schema/registry.ts'
import { sql } from '../../sql/fragment.ts'
import { systemTable } from '../../sql/table.ts'
import { TIMESTAMP_TABLE } from './number.ts'
import { versionedTables } from './versioned-tables.ts'

/** Script that deletes all past versions: the history then begins with the commit of the transaction that runs it. */
export const restartHistory = (registry: Registry): string =>
  [TIMESTAMP_TABLE, ...[...versionedTables(registry).values()].map(({ past }) => past)]
    .map((name) => sql`delete from ${systemTable(name)}`.text)
    .join(';')

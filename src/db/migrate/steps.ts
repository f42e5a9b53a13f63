import { volatile } from '../../sql/fragment.ts'
import type { Transaction } from '../database.ts'
import type { StoredColumn } from './stored-schema.ts'

/**
 * A change of the schema that cannot be derived from the declarations: a column that is removed or renamed, values
 * that are computed again. Runs once, before the declarations are compared with the stored schema; never in a new
 * database.
 */
export interface MigrationStep {
  /** Identifies the step in the database for good; it must never change. */
  readonly name: string
  readonly run: (transaction: Transaction) => Promise<void>
  /** Plugin whose tables it changes: the step does not run if these do not exist yet. */
  readonly plugin?: string
  /** Tables, or columns written `table.column`, that the step has dropped. */
  readonly removes?: readonly string[]
  /** Columns that the step has added, by their names written `table.column`. */
  readonly adds?: Readonly<Record<string, StoredColumn>>
  /** Old to new name, written `table.column`, of columns that the step has renamed (not of constraints). */
  readonly renames?: Readonly<Record<string, string>>
}

const MAPPINGS: StoredColumn = { type: 'text[]', nullable: false, default: "'{}'" }

/** All steps, oldest first. */
export const STEPS: readonly MigrationStep[] = [
  {
    name: 'port-mappings-of-services',
    run: mapPorts,
    adds: { 'ipam_service.port_mappings': MAPPINGS, 'ipam_servicetemplate.port_mappings': MAPPINGS },
  },
  { name: 'api-version-of-earlier-databases', run: keepApiVersion },
]

/**
 * Clients of an existing database expect API version 4.6: a revision of the configuration sets it, until an
 * administrator changes it.
 */
async function keepApiVersion(transaction: Transaction): Promise<void> {
  await transaction.execute(volatile`
    with former as (update core_configrevision set active = false where active returning id, data)
    insert into core_configrevision (active, created, comment, data)
    select true, now(), 'The version of the API before the upgrade',
      coalesce((select data::jsonb from former order by id desc limit 1), '{}') || '{"API_VERSION": "4.6"}'`)
}

/** Services once had one protocol and its ports. */
async function mapPorts(transaction: Transaction): Promise<void> {
  for (const table of ['ipam_service', 'ipam_servicetemplate']) {
    await transaction.script(`
      alter table ${table} add column port_mappings text[] not null default '{}';
      update ${table} set port_mappings = array(select protocol || '/' || port from unnest(ports) port)`)
  }
}

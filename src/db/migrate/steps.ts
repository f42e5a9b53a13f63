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
  {
    name: 'jobs-of-the-service',
    run: nameJobsOfService,
    adds: {
      'core_job.of_service': { type: 'boolean', nullable: false, default: 'false' },
      'core_jobtask.permission': { type: 'text', nullable: false, default: "''" },
    },
  },
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

/**
 * Jobs of the service once were those without a user, so that the jobs of deleted users became its own. The kind tells
 * which are; of synchronisations, those with an interval. All others without a user fail.
 */
async function nameJobsOfService(transaction: Transaction): Promise<void> {
  await transaction.script(`
    alter table core_job add column of_service boolean not null default false;
    alter table core_jobtask add column permission text not null default '';
    update core_job j set of_service = true from core_jobtask t
      where t.job_id = j.id and j.user_id is null
        and (t.kind in ('housekeeping', 'backup', 'email') or t.kind = 'data source' and j."interval" is not null);
    update core_jobtask t set permission = case t.kind when 'script' then 'run' else 'sync' end from core_job j
      where t.job_id = j.id and j.user_id is not null
        and (t.kind = 'script' and j.name = 'Run Script' or t.kind = 'data source')`)
}

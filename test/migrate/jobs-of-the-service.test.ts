import { expect, it } from 'vitest'
import { migrate } from '../../src/db/migrate/migrate.ts'
import { STEPS } from '../../src/db/migrate/steps.ts'
import { job, jobTask } from '../../src/models/core/job.ts'
import { BEHAVIOURS, MODELS } from '../../src/models/index.ts'
import { buildRegistry } from '../../src/schema/registry.ts'
import { sql } from '../../src/sql/fragment.ts'
import { databaseOfTest } from '../support/database.ts'

/** The models as they were when a job without a user belonged to the service. */
const BEFORE = MODELS.map((model) => {
  if (model.name !== job.name && model.name !== jobTask.name) return model
  const { of_service: _service, permission: _permission, ...fields } = model.fields
  return { ...model, fields }
})

interface Row {
  readonly kind: string
  readonly name?: string
  readonly user?: number
  readonly interval?: number
  /** What the upgrade stores: whether the service owns the job, and the permission that its user needs. */
  readonly is: readonly [isOfService: boolean, permission: string]
}

const ROWS: readonly Row[] = [
  { kind: 'housekeeping', interval: 1440, is: [true, ''] },
  { kind: 'backup', is: [true, ''] },
  { kind: 'email', is: [true, ''] },
  { kind: 'data source', interval: 60, is: [true, ''] },
  { kind: 'data source', is: [false, ''] },
  { kind: 'data source', user: 1, is: [false, 'sync'] },
  { kind: 'script', name: 'Run Script', is: [false, ''] },
  { kind: 'script', name: 'Run Script', interval: 60, is: [false, ''] },
  { kind: 'script', name: 'Run Script', user: 1, is: [false, 'run'] },
  { kind: 'script', name: 'Of an event rule', user: 1, is: [false, ''] },
  { kind: 'request', is: [false, ''] },
  { kind: 'request', user: 1, is: [false, ''] },
  { kind: 'import', is: [false, ''] },
]

it('jobs without a user belong to the service after the upgrade only if their kind says so', async () => {
  const database = await databaseOfTest()
  await migrate(database, buildRegistry(BEFORE), [])
  await database.execute(sql`
    insert into users_user (id, username, password, is_superuser, is_active, date_joined) values (1, 'ann', '', false, true, now())`)
  for (const [index, { kind, name = kind, user, interval }] of ROWS.entries()) {
    await database.execute(sql`
      insert into core_job (id, name, created, user_id, "interval", job_id, status, log_entries)
      values (${index}::bigint, ${name}, now(), ${user ?? null}::bigint, ${interval ?? null}::int, gen_random_uuid(), 'scheduled', '{}')`)
    await database.execute(sql`
      insert into core_jobtask (job_id, state, priority, kind, due, timeout)
      values (${index}::bigint, 'scheduled', 1, ${kind}, '2099-01-01', 300)`)
  }
  const steps = STEPS.filter(({ name }) => name === 'jobs-of-the-service')
  await migrate(database, buildRegistry(MODELS, BEHAVIOURS), steps)
  const rows = await database.query<{ service: boolean; permission: string }>(sql`
    select j.of_service as service, t.permission from core_job j join core_jobtask t on t.job_id = j.id order by j.id`)
  expect(rows.map(({ service, permission }) => [service, permission])).toEqual(ROWS.map(({ is }) => is))
})

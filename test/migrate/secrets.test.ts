import { describe, expect, it } from 'vitest'
import { coreOver } from '../../src/app/core.ts'
import { loadSecrets } from '../../src/config/secrets.ts'
import { readSettings } from '../../src/config/settings.ts'
import type { Database } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate/migrate.ts'
import { dataSource } from '../../src/models/core/data-source.ts'
import { BEHAVIOURS, MODELS } from '../../src/models/index.ts'
import { buildRegistry } from '../../src/schema/registry.ts'
import { sql } from '../../src/sql/fragment.ts'
import { databaseOfTest } from '../support/database.ts'

const SECRETS = {
  username: 'reader',
  password: 'plain-password',
  aws_secret_access_key: 'plain-key',
}

/** All texts of the rows that contain parameters of data sources. */
async function stored(database: Database): Promise<string> {
  const rows = await database.queryArrays(sql`
    select t::text from core_datasource t union all select t::text from core_datasource_history t
    union all select t::text from core_objectchange t`)
  return JSON.stringify(rows)
}

describe('plain secrets of an older database', () => {
  it.each(['without history', 'with history'])('are nowhere after a start: %s', async (kind) => {
    const database = await databaseOfTest()
    const { sealed_parameters: _, ...fields } = dataSource.fields
    const old = MODELS.map((each) =>
      each.name === dataSource.name ? { ...each, fields, hasHistory: kind === 'with history' } : each,
    )
    await migrate(database, buildRegistry(old, BEHAVIOURS))
    const parameters = JSON.stringify(SECRETS)
    await database.execute(sql`
      insert into core_datasource (name, type, source_url, status, parameters, custom_field_data)
      values ('one', 'git', 'https://example.com/', 'new', ${parameters}::jsonb, '{}')`)
    await database.execute(sql`update core_datasource set name = 'two'`)
    const data = JSON.stringify({ name: 'one', parameters: SECRETS })
    await database.execute(sql`
      insert into core_objectchange (time, user_name, request_id, action, changed_object_type,
        changed_object_id, object_repr, message, prechange_data, postchange_data)
      values (now(), 'admin', gen_random_uuid(), 'update', 'core.datasource', 1, 'one', '',
        ${data}::json, ${data}::json)`)
    const settings = readSettings({ SECRET_KEY: 'k'.repeat(60) })
    await coreOver(
      database,
      settings,
      loadSecrets(settings, () => undefined),
    )
    const texts = await stored(database)
    expect(texts).not.toContain('plain-')
    expect(texts).toContain('reader')
    expect(texts).toContain('********')
  })
})

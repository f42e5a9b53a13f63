import { describe, expect, it } from 'vitest'
import { migrate } from '../../src/db/migrate/migrate.ts'
import { STEPS } from '../../src/db/migrate/steps.ts'
import { BEHAVIOURS, MODELS } from '../../src/models/index.ts'
import { service } from '../../src/models/ipam/service.ts'
import { serviceTemplate } from '../../src/models/ipam/service-template.ts'
import { buildRegistry } from '../../src/schema/registry.ts'
import { sql } from '../../src/sql/fragment.ts'
import { databaseOfTest } from '../support/database.ts'

/** The steps of that upgrade. The other declarations are those of today. */
const UPGRADE = STEPS.filter(({ name }) =>
  ['port-mappings-of-services', 'api-version-of-earlier-databases'].includes(name),
)

/** The models as they were before API 4.7: a service had one protocol with its ports. */
const BEFORE = MODELS.map((each) => {
  if (each.name !== service.name && each.name !== serviceTemplate.name) return each
  const { earlier: _earlier, ...rest } = each
  const { port_mappings: _mappings, ...fields } = each.fields
  const without = (names: readonly string[]) => names.filter((name) => name !== 'port_mappings')
  return { ...rest, fields, filters: {}, brief: without(each.brief) }
})

describe('a database from before API 4.7', () => {
  it('has port mappings after the upgrade, and keeps the version of its clients', async () => {
    const database = await databaseOfTest()
    await migrate(database, buildRegistry(BEFORE), [])
    await database.execute(sql`
      insert into ipam_service (parent_object_type, parent_object_id, name, protocol, ports, _ports_lowest, custom_field_data)
      values ('dcim.device', 1, 'web', 'tcp', '{80,443}', 80, '{}')`)
    await migrate(database, buildRegistry(MODELS, BEHAVIOURS), UPGRADE)
    expect(await database.queryColumn(sql`select port_mappings from ipam_service`)).toEqual([['tcp/80', 'tcp/443']])
    expect(
      await database.queryColumn(sql`select data::json ->> 'API_VERSION' from core_configrevision where active`),
    ).toEqual(['4.6'])
  })

  it('differs from a new one, which has no revision of the configuration', async () => {
    const database = await databaseOfTest()
    await migrate(database, buildRegistry(MODELS, BEHAVIOURS))
    expect(await database.queryColumn(sql`select id from core_configrevision`)).toEqual([])
  })
})

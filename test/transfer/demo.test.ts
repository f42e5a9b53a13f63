import { describe, expect, it } from 'vitest'
import { readSettings } from '../../src/config/settings.ts'
import { BEHAVIOURS, MODELS } from '../../src/models/index.ts'
import { buildRegistry } from '../../src/schema/registry.ts'
import { createService } from '../../src/service.ts'
import { raw } from '../../src/sql/fragment.ts'
import { loadDemo } from '../../src/transfer/demo/load-demo.ts'
import { databaseOfTest } from '../support/database.ts'

const registry = buildRegistry(MODELS, BEHAVIOURS)

describe('the sample network', () => {
  it('is written with change records, once', async () => {
    const database = await databaseOfTest('migrated')
    const settings = readSettings({})
    const service = createService(registry, database, settings)
    const ask = (statement: string) => database.queryArrays(raw(statement))
    const count = await loadDemo(service)
    expect(count).toBeGreaterThan(80)
    expect(await ask(`select name from dcim_site order by name`)).toEqual([
      ['Gull Rock Lighthouse'],
      ['Harbour House'],
      ['Mainland Hall'],
      ['Otter Bank Lighthouse'],
      ['Seal Point Lighthouse'],
    ])
    expect(
      await ask(`select count(*) from dcim_device
        where primary_ip4_id is null and interface_count > 0 and status = 'active'`),
    ).toEqual([[0]])
    expect(await ask('select count(*) from dcim_site where created is null')).toEqual([[0]])
    expect(await ask('select count(*) from dcim_interface where _path_id is null and cable_id is not null')).toEqual([
      [0],
    ])
    expect(
      await ask(`select count(distinct changed_object_id), min(user_name) from core_objectchange
        where changed_object_type = 'dcim.site' and action = 'create'`),
    ).toEqual([[5, 'demo']])
    expect(await ask('select title from core_changerequest')).toEqual([['Build Otter Bank']])
    expect(await loadDemo(service)).toBe(0)
  })
})

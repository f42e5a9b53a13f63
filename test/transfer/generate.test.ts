import { describe, expect, it } from 'vitest'
import { readSettings } from '../../src/config/settings.ts'
import { migrate } from '../../src/migrate/migrate.ts'
import { BEHAVIOURS, MODELS } from '../../src/models/index.ts'
import { buildRegistry } from '../../src/schema/registry.ts'
import { raw } from '../../src/sql/fragment.ts'
import { Memory } from '../../src/storage/memory.ts'
import { generateInventory } from '../../src/transfer/generate/generate.ts'
import { inventory } from '../../src/transfer/generate/inventory.ts'
import { databaseOfTest, forEachStorage, type OpenDatabase } from '../support/database.ts'

const registry = buildRegistry(MODELS, BEHAVIOURS)

async function prepare(open: OpenDatabase) {
  const database = await databaseOfTest(open)
  await migrate(database, registry)
  const settings = readSettings({ DATA_DIR: 'memory://' })
  const service = { registry, database, memory: new Memory(), settings }
  return {
    generate: (devices: number, seed: number) => generateInventory(service, { devices, seed }),
    ask: (statement: string) => database.queryArrays(raw(statement)),
  }
}

forEachStorage('a generated inventory', (open) => {
  it('hangs together, and grows when it is made once more', async () => {
    const { generate, ask } = await prepare(open)
    const made = await generate(120, 1)
    expect(made.get('dcim.device')).toBe(120)
    expect(made.get('dcim.interface')).toBe(480)
    await generate(30, 1)
    expect(
      await ask(`select count(*), count(distinct name), min(interface_count), max(interface_count)
        from dcim_device`),
    ).toEqual([[150, 150, 4, 4]])
    // Every device's address is on an interface of its own; every component stands where its device does.
    expect(
      await ask(`select count(*) from dcim_device d
        join ipam_ipaddress a on a.id = d.primary_ip4_id
        join dcim_interface i on i.id = a.assigned_object_id and i.device_id = d.id
          and i._site_id = d.site_id and i._rack_id = d.rack_id`),
    ).toEqual([[150]])
    await expect(generate(0, 1)).rejects.toThrow('1 to 1600000 devices')
    expect(await ask('select min(_depth), max(_depth) from ipam_prefix')).toEqual([[0, 2]])
    expect(await ask('select count(*) from dcim_region where _level = 1')).toEqual([[80]])
  })
})

describe('the rows of an inventory', () => {
  const rowsOf = (seed: number) =>
    [...inventory({ devices: 40, interfaces: 2, seed, firstId: () => 1 })].map(
      ({ model, rows }) => [model, [...rows]] as const,
    )

  it('are the same for the same seed, and others for another', () => {
    expect(rowsOf(7)).toEqual(rowsOf(7))
    expect(rowsOf(7)).not.toEqual(rowsOf(8))
  })
})

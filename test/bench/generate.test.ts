import { describe, expect, it } from 'vitest'
import { generateInventory } from '../../bench/data/generate.ts'
import { inventory } from '../../bench/data/inventory/inventory.ts'
import { resolveSizes, type SizeOptions } from '../../bench/data/sizes.ts'
import { readSettings } from '../../src/config/settings.ts'
import { BEHAVIOURS, MODELS } from '../../src/models/index.ts'
import { buildRegistry } from '../../src/schema/registry.ts'
import { createService } from '../../src/service.ts'
import { raw } from '../../src/sql/fragment.ts'
import { databaseOfTest } from '../support/database.ts'

const registry = buildRegistry(MODELS, BEHAVIOURS)

async function prepare() {
  const database = await databaseOfTest('migrated')
  const settings = readSettings({})
  const service = createService(registry, database, settings)
  return {
    generate: (options: SizeOptions) => generateInventory(service, { seed: 1, ...options }),
    ask: (statement: string) => database.queryArrays(raw(statement)),
  }
}

const INDEXES = 'select count(*) from pg_indexes where schemaname = current_schema()'
const CONSTRAINTS = 'select count(*), count(*) filter (where convalidated) from pg_constraint'

describe('a generated inventory', () => {
  it('is consistent, and grows when it is generated again', async () => {
    const { generate, ask } = await prepare()
    const made = await generate({ devices: 120, interfaces: 480, cables: 150, prefixes: 400 })
    expect(made.get('dcim.device')).toBe(120)
    expect(made.get('dcim.interface')).toBe(480)
    await generate({ devices: 30, interfaces: 120, cables: 15 })
    expect(
      await ask(`select count(*), count(distinct name), min(interface_count), max(interface_count)
        from dcim_device`),
    ).toEqual([[150, 150, 4, 4]])
    // Every device's address is on one of its interfaces; every component has the place of its device.
    expect(
      await ask(`select count(*) from dcim_device d
        join ipam_ipaddress a on a.id = d.primary_ip4_id
        join dcim_interface i on i.id = a.assigned_object_id and i.device_id = d.id
          and i._site_id = d.site_id and i._rack_id = d.rack_id`),
    ).toEqual([[150]])
    // A cable leads to the neighbour, and its path is stored at both ends.
    expect(
      await ask(`select count(*), count(p.id) filter (where p.is_complete)
        from dcim_interface i left join dcim_cablepath p on p.id = i._path_id
        where i.cable_id is not null`),
    ).toEqual([[330, 330]])
    expect(await ask('select min(_depth), max(_depth) from ipam_prefix')).toEqual([[0, 3]])
    expect(await ask('select count(*) from dcim_region where _level = 1')).toEqual([[80]])
    expect(await ask('select count(*) from extras_configcontext_regions')).toEqual([[10]])
  })
})

describe('a large inventory', () => {
  it('is inserted without indexes, all of which exist afterwards', async () => {
    const { generate, ask } = await prepare()
    const before = [await ask(INDEXES), await ask(CONSTRAINTS)]
    await generate({ devices: 5000, interfaces: 5000, addresses: 5000, prefixes: 300 })
    expect([await ask(INDEXES), await ask(CONSTRAINTS)]).toEqual(before)
    // The generated values equal the computed ones.
    expect(await ask('select min(interface_count), max(interface_count) from dcim_device')).toEqual([[1, 1]])
  })
})

describe('the rows of an inventory', () => {
  const rowsOf = (seed: number) =>
    [...inventory({ ...resolveSizes({ devices: 40 }), seed, firstId: () => 1 })].map(
      ({ model, rows }) => [model, [...rows]] as const,
    )

  it('are the same for the same seed and differ for another', () => {
    expect(rowsOf(7)).toEqual(rowsOf(7))
    expect(rowsOf(7)).not.toEqual(rowsOf(8))
  })
})

const REFUSED: readonly (readonly [SizeOptions, sentence: string])[] = [
  [{ devices: 0 }, '1 to 1600000 devices'],
  [{ devices: 10, interfaces: 9 }, '10 to 10000 interfaces'],
  [{ devices: 11, cables: 46 }, '0 to 45 cables'],
  [{ devices: 100_000, prefixes: -1 }, '0 to 5000000 prefixes'],
]

describe('the sizes of an inventory', () => {
  it.each(REFUSED)('that are impossible are refused with a sentence: %j', (options, sentence) => {
    expect(() => resolveSizes(options)).toThrow(sentence)
  })

  it('follow from the number of devices unless they are given', () => {
    expect(resolveSizes({ devices: 1_000, cables: 7 })).toEqual({
      devices: 1000,
      interfaces: 10_000,
      addresses: 5000,
      prefixes: 500,
      cables: 7,
    })
  })
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { modelRegistry, registryIn } from '../../src/app/core.ts'
import { readSettings } from '../../src/config/settings.ts'
import type { Database } from '../../src/db/database.ts'
import { sql } from '../../src/sql/fragment.ts'
import { writeBackup } from '../../src/transfer/backup/backup.ts'
import { restoreBackup } from '../../src/transfer/backup/restore.ts'
import { type Api, startApiOver } from '../support/api.ts'
import { databaseOfTest } from '../support/database.ts'
import { PLUGINS } from '../support/plugins.ts'

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'cadastre-removal-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

const CONTRACTS = '/api/plugins/maintenance/contracts/'

/** Labels for sites and racks. */
const LABELS = `
  import { genericForeignKey, housekeeping, model, PRIMARY, plugin, text } from 'cadastre'
  const label = model({
    name: 'labels.label', path: 'plugins/labels/labels', labels: ['label', 'labels'],
    fields: {
      name: text({ max: 50 }),
      target: genericForeignKey(['dcim.site', 'dcim.rack'], { nullable: true }),
      ...housekeeping,
    },
    display: '{name}', brief: ['id', 'url', 'display', 'name'], order: ['name'], features: PRIMARY,
  })
  export default plugin({ name: 'labels', label: 'Labels', version: '1.0.0', models: [label] })
`

/** Starts the program, each time over this database. */
const startsOver =
  (database: Database) =>
  async (environment = {}): Promise<Api> => {
    const api = await startApiOver({ ...database, close: async () => undefined }, environment)
    onTestFinished(() => api.close())
    return api
  }

describe('a plugin that has been removed', () => {
  it('still protects the targets of its generic relations', async () => {
    const database = await databaseOfTest('migrated')
    const start = startsOver(database)
    const file = join(newDirectory(), 'labels.ts')
    writeFileSync(file, LABELS)
    const before = await start({ PLUGINS: file })
    const create = async (path: string, body: object): Promise<number> => {
      const { status, text, json } = await before.ask('POST', path, { body })
      expect(status, text).toBe(201)
      return Number(json.id)
    }
    const site = await create('/api/dcim/sites/', { name: 'Labelled', slug: 'labelled' })
    const free = await create('/api/dcim/sites/', { name: 'Free', slug: 'free' })
    // A label of something else with the id of the free site.
    const racks = await create('/api/dcim/racks/', { name: 'R', site })
    await create('/api/plugins/labels/labels/', { name: 'none' })
    for (const [type, id] of [
      ['dcim.site', site],
      ['dcim.rack', racks],
    ] as const) {
      await create('/api/plugins/labels/labels/', { name: type, target_type: type, target_id: id })
    }
    await before.close()

    const without = await start()
    const detail =
      'The object cannot be deleted: rows of the table labels_label, whose plugin is not loaded, refer to it.'
    const attempts = [
      () => without.ask('DELETE', `/api/dcim/racks/${racks}/`),
      () => without.ask('DELETE', '/api/dcim/racks/', { body: [{ id: racks }] }),
    ]
    for (const attempt of attempts) {
      const { status, json } = await attempt()
      expect([status, json.detail]).toEqual([409, detail])
    }
    expect((await without.ask('DELETE', `/api/dcim/sites/${site}/`)).status).toBe(409)
    expect((await without.ask('DELETE', `/api/dcim/sites/${free}/`)).status).toBe(204)
    await without.close()

    const after = await start({ PLUGINS: file })
    const labels = await after.ask('GET', '/api/plugins/labels/labels/?target_type=dcim.rack')
    expect(labels.json.results?.[0]?.target).toMatchObject({ id: racks })
    expect((await after.ask('DELETE', `/api/dcim/racks/${racks}/`)).status).toBe(204)
  })

  it('leaves its data in the database, and finds them when it is loaded again', async () => {
    const database = await databaseOfTest('migrated')
    const start = startsOver(database)

    const before = await start({ PLUGINS })
    const maker = { name: 'Maker', slug: 'maker' }
    const made = await before.ask('POST', '/api/dcim/manufacturers/', { body: maker })
    const body = { number: 'C-1', manufacturer: made.json.id, start_date: '2026-01-01' }
    const contract = await before.ask('POST', CONTRACTS, { body })
    expect(contract.status, contract.text).toBe(201)
    await before.close()

    const file = join(newDirectory(), 'backup.tar.gz')
    const directory = newDirectory()
    const settings = readSettings({ DATA_DIR: directory })
    const registry = modelRegistry()
    await writeBackup(database, file, { registry, settings, program: '1', withSecrets: false })
    const copy = await databaseOfTest()
    await restoreBackup(copy, file, { registryIn, settings, replace: false })
    expect(await copy.query(sql`select number from maintenance_contract`)).toEqual([{ number: 'C-1' }])

    const without = await start()
    expect((await without.ask('GET', CONTRACTS)).status).toBe(404)
    expect((await without.ask('GET', '/api/plugins/installed-plugins/')).json).toEqual([])
    expect((await without.ask('GET', '/health/ready')).status).toBe(200)
    const records = await without.ask('GET', '/api/core/object-changes/?limit=1')
    expect(records.json.results?.[0]?.changed_object_type).toBe('maintenance.contract')
    const type = '/api/core/object-types/?app_label=maintenance'
    expect((await without.ask('GET', type)).json.count).toBe(1)
    const refused = await without.ask('DELETE', `/api/dcim/manufacturers/${made.json.id}/`)
    expect([refused.status, refused.json.detail]).toEqual([
      409,
      expect.stringContaining('maintenance_contract, whose plugin is not loaded'),
    ])
    await without.close()

    const after = await start({ PLUGINS })
    const { created, ...found } = (await after.ask('GET', `${CONTRACTS}${contract.json.id}/`)).json
    expect(created).toBe(contract.json.created)
    expect(found).toMatchObject({ number: 'C-1', manufacturer: { slug: 'maker' } })
    expect((await after.ask('GET', type)).json.results?.[0]?.is_plugin_model).toBe(true)
  })
})

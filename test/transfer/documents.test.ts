import { describe, expect, it } from 'vitest'
import { readSettings } from '../../src/config/settings.ts'
import { BEHAVIOURS, MODELS } from '../../src/models/index.ts'
import { buildRegistry } from '../../src/schema/registry.ts'
import { createService } from '../../src/service.ts'
import { sql } from '../../src/sql/fragment.ts'
import { updateTable } from '../../src/sql/table.ts'
import { applyFiles } from '../../src/transfer/apply-files.ts'
import { loadDemo } from '../../src/transfer/demo/load-demo.ts'
import { documentText, exportDocuments } from '../../src/transfer/documents/export-documents.ts'
import { databaseOfTest } from '../support/database.ts'

const registry = buildRegistry(MODELS, BEHAVIOURS)
const settings = readSettings({})

const emptyService = async () => createService(registry, await databaseOfTest('migrated'), settings)

const fileOf = (text: string) => ({ name: 'inventory.yaml', text })

const CUSTOM_FIELD = 'objects: {extras.customfield: [{name: floor, type: integer, object_types: [dcim.site]}]}'

describe('an inventory written as documents', () => {
  it('is unchanged when they are applied, and can be created from them', async () => {
    const source = await emptyService()
    await loadDemo(source)
    // The objects that exist have no value for a new custom field.
    await applyFiles(source, [fileOf(CUSTOM_FIELD)], { dryRun: false })
    const exported = await exportDocuments(source)
    expect([...exported.unidentified]).toEqual([])
    const text = documentText(exported.objects)
    const count = [...exported.objects.values()].flat().length
    expect(count).toBeGreaterThan(80)
    expect(text).toContain('floor: null')
    expect(text).not.toMatch(/^ +(?:- )?(?:id|url|created|last_updated):/m)

    const same = await applyFiles(source, [fileOf(text)], { dryRun: false })
    expect(same.counts).toEqual({ created: 0, updated: 0, deleted: 0, unchanged: count })

    const target = await emptyService()
    const { counts } = await applyFiles(target, [fileOf(text)], { dryRun: false })
    expect(counts.created + counts.updated + counts.unchanged).toBe(count)
    expect(documentText((await exportDocuments(target)).objects)).toBe(text)
  })

  it('leaves out cables that have lost an end, which no document can create', async () => {
    const source = await emptyService()
    await loadDemo(source)
    const withoutSwitch = 'prune: {name: gr-switch}\nobjects: {dcim.device: []}'
    await applyFiles(source, [fileOf(withoutSwitch)], { dryRun: false })
    const exported = await exportDocuments(source)
    expect([...exported.unidentified.keys()]).toEqual(['dcim.cable'])
    const text = documentText(exported.objects)
    for (const service of [source, await emptyService()]) {
      await applyFiles(service, [fileOf(text)], { dryRun: false })
      expect(documentText((await exportDocuments(service)).objects)).toBe(text)
    }
  })

  it('is unchanged if imported values have forms that cannot occur in bodies', async () => {
    const source = await emptyService()
    await applyFiles(source, [fileOf(IMPORTED)], { dryRun: false })
    const { database } = source
    await database.execute(sql`${updateTable('dcim.site')} set comments = 'two lines ' || chr(10)`)
    await database.execute(sql`${updateTable('dcim.rack')} set outer_unit = ''`)
    await database.execute(sql`${updateTable('extras.customfield')} set object_types = '{dcim.site,dcim.rack}'::text[]`)
    const text = documentText((await exportDocuments(source)).objects)
    const { counts } = await applyFiles(source, [fileOf(text)], { dryRun: false })
    expect(counts).toEqual({ created: 0, updated: 0, deleted: 0, unchanged: 3 })
  })
})

const IMPORTED = `objects:
  dcim.site: [{name: Akron, slug: akr}]
  dcim.rack: [{name: R1, site: {slug: akr}}]
  extras.customfield: [{name: floor, type: integer, object_types: [dcim.rack, dcim.site]}]`

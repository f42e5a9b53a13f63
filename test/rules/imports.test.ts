import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { planLines } from '../../src/transfer/counterparts/plan.ts'
import { importDataSet, planImport } from '../../src/transfer/import-directory.ts'
import { importWithConsent } from '../../src/transfer/import-from-service.ts'
import { type Api, apiOfTest } from '../support/api.ts'
import { directoryOfTest } from '../support/directory.ts'

/** A data set with these objects by endpoint. */
function dataSet(collections: Readonly<Record<string, readonly object[]>>): string {
  const directory = directoryOfTest()
  for (const [endpoint, rows] of Object.entries(collections)) {
    mkdirSync(join(directory, 'dcim'), { recursive: true })
    writeFileSync(join(directory, `${endpoint}.jsonl`), rows.map((row) => JSON.stringify(row)).join('\n'))
  }
  return directory
}

const site = (id: number, facility: string, name = `Site ${id}`) => ({
  ...{ id, name, slug: name.toLowerCase().replace(' ', '-'), status: { value: 'active' }, facility },
})
const rack = (id: number, ofSite: number, height: number) => ({
  ...{ id, name: `Rack ${id}`, site: { id: ofSite }, status: { value: 'active' }, u_height: height },
})

describe('an import of a whole data set', () => {
  let api: Api
  beforeEach(async () => {
    api = await apiOfTest({ API_VERSION: '4.7' })
    const rule = (name: string, object_type: string, expression: string, message: string) =>
      api.make('extras/rules', { name, object_type, expression, message, severity: 'refuse' })
    await rule('Facility', 'dcim.site', "facility != ''", 'No facility.')
    await rule('Units', 'dcim.site', 'sum(racks.u_height) < 60', 'Too many units.')
    await api.make('dcim/sites', { name: 'Here', slug: 'here', facility: 'H' })
    await api.background.runUntilIdle()
  })
  const names = async (path = 'dcim/sites') =>
    (await api.ask('GET', `/api/${path}/?limit=0`)).json.results?.map(({ display }) => display)
  const REFUSED = 'Rules refuse the import, because these objects would break them:'

  it('is stored if no rule refuses any of its objects', async () => {
    const directory = dataSet({ 'dcim/sites': [site(1, 'F'), site(2, 'F')], 'dcim/racks': [rack(1, 1, 42)] })
    expect((await planImport(api.service, directory)).refused).toEqual([])
    await importDataSet(api.service, directory)
    expect(await names()).toEqual(['Here', 'Site 1', 'Site 2'])
  })

  it.each<[string, Readonly<Record<string, readonly object[]>>, readonly string[]]>([
    [
      'a new object breaks a rule',
      { 'dcim/sites': [site(1, 'F'), site(2, ''), site(3, '')] },
      ['  site Site 2: No facility.', '  site Site 3: No facility.'],
    ],
    [
      'new objects make another one break a rule',
      { 'dcim/sites': [site(1, 'H', 'Here')], 'dcim/racks': [rack(1, 1, 42), rack(2, 1, 42)] },
      ['  site Here: Too many units.'],
    ],
    [
      'a changed object breaks a rule',
      { 'dcim/sites': [site(1, '', 'Here'), site(2, 'F')] },
      ['  site Here: No facility.'],
    ],
    [
      'very many objects break it',
      { 'dcim/sites': Array.from({ length: 30 }, (_, index) => site(index + 11, '')) },
      [
        ...Array.from({ length: 20 }, (_, index) => `  site Site ${index + 11}: No facility.`),
        '  These are the first 20.',
      ],
    ],
  ])('is refused as a whole if %s, and its plan says so', async (_what, collections, lines) => {
    const directory = dataSet(collections)
    const options = { prefer: 'source', source: 'elsewhere' } as const
    const plan = await planImport(api.service, directory, options)
    expect(planLines(plan).slice(-lines.length - 1)).toEqual([REFUSED, ...lines])
    await expect(importDataSet(api.service, directory, options)).rejects.toThrow([REFUSED, ...lines].join('\n'))
    expect([await names(), await names('dcim/racks')]).toEqual([['Here'], []])
    const { json } = await api.ask('GET', '/api/dcim/sites/')
    expect(json.results?.[0]).toMatchObject({ facility: 'H' })
  })

  it('is not refused for an object that breaks a rule already', async () => {
    const bare = await api.make('dcim/racks', { name: 'Bare', site: 1, u_height: 10 })
    await api.make('extras/rules', {
      ...{ name: 'High', object_type: 'dcim.rack', expression: 'u_height > 20', severity: 'refuse', message: 'Low.' },
    })
    await api.background.runUntilIdle()
    const directory = dataSet({
      'dcim/sites': [site(1, 'H', 'Here')],
      'dcim/racks': [{ ...rack(1, 1, 10), name: 'Bare', serial: 'S1' }],
    })
    await importDataSet(api.service, directory, { prefer: 'source', source: 'elsewhere' })
    expect((await api.ask('GET', `/api/dcim/racks/${bare}/`)).json).toMatchObject({ serial: 'S1', u_height: 10 })
  })

  it('takes no ids when its plan is refused, and asks nobody', async () => {
    const directory = dataSet({ 'dcim/sites': [site(50, '')] })
    const said: string[] = []
    const agree = () => Promise.reject(new Error('Nobody is asked.'))
    const core = { service: api.service, vault: undefined as never } // nothing is encrypted in a plan
    const work = importWithConsent(core, directory, { say: (text) => said.push(text) }, { agree })
    await expect(work).rejects.toThrow('Rules refuse the import: the end of the plan says why.')
    expect(said.join('\n')).toContain('  site Site 50: No facility.')
    expect(await api.make('dcim/sites', { name: 'Next', slug: 'next', facility: 'F' })).toBe(2)
  })
})

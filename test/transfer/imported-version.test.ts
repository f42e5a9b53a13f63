import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { versionOfRelease } from '../../src/transfer/source-version.ts'
import { ADMIN_TOKEN, startApiOver } from '../support/api.ts'
import { openTestDatabase } from '../support/database.ts'
import { directoryOfTest } from '../support/directory.ts'
import { environmentOfTest } from '../support/program.ts'
import { created } from '../support/requests.ts'

const SITE = { id: 1, name: 'North', slug: 'north', status: { value: 'active' } }
const MAKER = { id: 1, name: 'Acme', slug: 'acme' }
const TYPE = { id: 1, manufacturer: { id: 1 }, model: 'Box', slug: 'box' }

const OLD = { 'dcim/sites': SITE, 'dcim/manufacturers': MAKER, 'dcim/device-types': TYPE }
/** A field of a collection that 4.6 has too. */
const NEW_FIELD = { ...OLD, 'dcim/device-types': { ...TYPE, end_of_life: null } }
const NEW_COLLECTION = { ...OLD, 'dcim/module-bay-types': { id: 1, name: 'Slot', slug: 'slot' } }

type DataSet = Readonly<Record<string, object>>

function directoryWith(dataSet: DataSet): string {
  const directory = directoryOfTest()
  for (const [endpoint, object] of Object.entries(dataSet)) {
    mkdirSync(join(directory, endpoint, '..'), { recursive: true })
    writeFileSync(join(directory, `${endpoint}.jsonl`), `${JSON.stringify(object)}\n`)
  }
  return directory
}

type Environment = Readonly<Record<string, string>>

/** What a command prints; fails if it does. This process can answer it meanwhile. */
async function run(environment: Environment, ...args: readonly string[]): Promise<string> {
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, ...environment }
  const { stdout } = await promisify(execFile)(process.execPath, ['src/cli/main.ts', ...args], { env })
  return stdout
}

/** The version that the service with this database answers in. */
const servedVersion = async (environment: Environment): Promise<string | undefined> =>
  /^API_VERSION="(.*?)"/m.exec(await run(environment, 'config', 'show'))?.[1]

describe('after an import, requests that name no version get that of the source', () => {
  it.each<{ name: string; set: DataSet; more?: Environment; args?: readonly string[]; served: string; says: RegExp }>([
    { name: 'a data set of 4.6', set: OLD, served: '4.6', says: /has version 4\.6 .* get 4\.6\.$/m },
    { name: 'a data set with a new field', set: NEW_FIELD, served: '4.7', says: /has version 4\.7 .* get 4\.7\.$/m },
    { name: 'a data set with a new collection', set: NEW_COLLECTION, served: '4.7', says: /has version 4\.7 /m },
    {
      name: 'a version that the user chooses',
      ...{ set: OLD, args: ['--api-version', '4.7'], served: '4.7', says: /has version 4\.6 .* get 4\.7\.$/m },
    },
    {
      name: 'a version that the environment sets',
      ...{ set: OLD, more: { API_VERSION: '4.7' }, served: '4.7' },
      says: /get 4\.7, which API_VERSION sets in the environment\.$/m,
    },
  ])('$name', async ({ set, more = {}, args = [], served, says }) => {
    const environment = { ...(await environmentOfTest()), ...more }
    expect(await run(environment, 'import', directoryWith(set), ...args)).toMatch(says)
    expect(await servedVersion(environment)).toBe(served)
  })

  it('a service that answers in 4.6', async () => {
    const source = await startApiOver(await openTestDatabase('migrated'), { API_VERSION: '4.6' })
    try {
      await created(source, 'dcim/sites', { name: 'North', slug: 'north' })
      const environment = await environmentOfTest()
      const said = await run(environment, 'import', source.url, '--token', ADMIN_TOKEN)
      expect(said).toMatch(/has version 4\.6 .* get 4\.6\.$/m)
      expect(await servedVersion(environment)).toBe('4.6')
    } finally {
      await source.close()
    }
  })

  it('but not in a database that is in use, whose clients know another one', async () => {
    const environment = await environmentOfTest()
    await run(environment, 'import', directoryWith(NEW_FIELD))
    const said = await run(
      environment,
      'import',
      '--yes',
      directoryWith({ 'dcim/sites': { ...SITE, id: 2, name: 'B', slug: 'b' } }),
    )
    expect(said).toMatch(
      /get 4\.7, as before the import\.\nIf your tools expect 4\.6: .* config set API_VERSION=4\.6$/m,
    )
    expect(await servedVersion(environment)).toBe('4.7')
  })
})

it.each([
  ['4.6.8', '4.6'],
  ['4.7.3-Docker-3.2', '4.7'],
  ['4.10.0', '4.7'],
  ['5.0.0', '4.7'],
  ['4.5.9', '4.6'],
  ['3.7.8', '4.6'],
  [undefined, '4.6'],
])('release %s speaks version %s', (release, version) => {
  expect(versionOfRelease(release)).toBe(version)
})

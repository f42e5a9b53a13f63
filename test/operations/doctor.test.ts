import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { coreOver, modelRegistry } from '../../src/app/core.ts'
import { examine } from '../../src/cli/doctor/doctor.ts'
import type { Finding } from '../../src/cli/doctor/finding.ts'
import { loadSecrets } from '../../src/config/secrets.ts'
import { readSettings, type Settings } from '../../src/config/settings.ts'
import type { Database } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/open.ts'
import { ensureSuperuser } from '../../src/identity/superuser.ts'
import { sql } from '../../src/sql/fragment.ts'
import { insertInto, updateTable } from '../../src/sql/table.ts'
import { createTestDatabase, dropTestDatabase } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'

const registry = modelRegistry()

function directoryOfTest(): string {
  const directory = mkdtempSync(join(tmpdir(), 'cadastre-doctor-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** Problems by subject. */
async function complaints(settings: Settings): Promise<Record<string, string>> {
  const findings = await examine(settings, async () => registry)
  // Values of the machine, and of a service that these tests do not start.
  const isIgnored = ({ subject, text }: Finding) =>
    subject === 'disk' || (subject === 'service' && text.startsWith('No service responds'))
  const bad = findings.filter((finding) => finding.state !== 'ok' && !isIgnored(finding))
  for (const { advice } of bad) expect(advice).toMatch(/\.$/)
  return Object.fromEntries(bad.map(({ subject, state, text }) => [subject, `${state}: ${text}`]))
}

/** Tables, and the superuser of a first start. */
async function start(settings: Settings): Promise<void> {
  const secrets = loadSecrets(settings, () => undefined)
  const core = await coreOver(await openDatabase(settings), settings, secrets)
  await core.service.database.transaction((transaction) => ensureSuperuser(transaction, settings, core.vault))
  await core.close()
}

describe.each(['its own server', 'DATABASE_URL'])('doctor of a service with %s', (server) => {
  let directory: string
  let settings: Settings
  let environment: Record<string, string>
  let url: string | undefined
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'cadastre-doctor-'))
    if (server === 'DATABASE_URL') url = await createTestDatabase()
    environment = {
      DATA_DIR: join(directory, 'data'),
      PORT: String(await freePort()),
      SUPERUSER_API_TOKEN: 'c0ffee'.padEnd(40, 'xyzabcdefghijklm'),
      ...(url !== undefined && { DATABASE_URL: url }),
    }
    settings = readSettings(environment)
    await start(settings)
  })
  afterAll(async () => {
    if (url !== undefined) await dropTestDatabase(url)
    rmSync(directory, { recursive: true, force: true })
  })

  const change = async (work: (database: Database) => Promise<unknown>) => {
    const database = await openDatabase(settings)
    try {
      await work(database)
    } finally {
      await database.close()
    }
  }

  it('says which version of the API is served by default', async () => {
    const api = (await examine(settings, async () => registry)).find(({ subject }) => subject === 'api')
    expect(api?.text).toMatch(/^Requests that name no version of the API get 4\.7;/)
    const older = (await examine(readSettings({ ...environment, API_VERSION: '4.6' }), async () => registry)).find(
      ({ subject }) => subject === 'api',
    )
    expect(older?.text).toMatch(/get 4\.6;/)
  })

  it('reports nothing after a first start', async () => {
    expect(await complaints(settings)).toEqual({})
  })

  it('reports missing files, lost peppers, and the lack of a superuser', async () => {
    const attachment = sql`${insertInto('extras.imageattachment')}
      (object_type, object_id, image, image_height, image_width, name, description)
      values ('dcim.site', 1, 'image-attachments/gone.png', 1, 1, '', '')`
    await change(async (database) => {
      await database.execute(attachment)
      await database.execute(sql`${updateTable('users.token')} set pepper_id = 7`)
      await database.execute(sql`${updateTable('users.user')} set is_active = false`)
    })
    expect(await complaints(settings)).toEqual({
      history: expect.stringMatching(/^warning: .*: 1 version of users_user\.$/),
      media: expect.stringMatching(/^warning: 1 uploaded file is missing.*gone\.png/),
      tokens: expect.stringMatching(/^problem: 1 token cannot be used: pepper 7 is missing/),
      superusers: expect.stringMatching(/^warning: There is no active superuser/),
      search: 'warning: 1 value of the search index differs from the objects: extras.imageattachment.',
    })
  })

  it('reports constraints that do not fit an object type of their permission', async () => {
    const permission = (name: string, types: string, constraints: string) => sql`
      insert into users_objectpermission (name, description, enabled, object_types, actions, constraints)
      values (${name}, '', true, ${types}::text[], '{view}', ${constraints}::jsonb)`
    await change(async (database) => {
      await database.execute(permission('fits', '{dcim.site}', '{"status": "active"}'))
      await database.execute(permission('half', '{dcim.site,dcim.rack}', '[{"latitude__gt": 0}, {"name": "x"}]'))
    })
    const { permissions } = await complaints(settings)
    expect(permissions).toMatch(
      /^warning: Permission 2 \(half\) grants nothing on dcim\.rack: Cannot resolve keyword 'latitude' into field/,
    )
    expect(permissions).not.toMatch(/fits|dcim\.site/)
    await change((database) => database.execute(sql`update users_objectpermission set enabled = false`))
    expect((await complaints(settings)).permissions).toBeUndefined()
  })

  it('reports gaps in the positions of events', async () => {
    const event = (position: number, count: number) =>
      sql`insert into core_event (kind, count, position, created) values ('change', ${count}, ${position}, now())`
    await change(async (database) => {
      for (const [position, count] of [
        [5, 3],
        [6, 1],
        [9, 1],
      ] as const)
        await database.execute(event(position, count))
    })
    expect((await complaints(settings)).events).toBe(
      'problem: 2 of the positions 3 to 9 of the stream of events are missing.',
    )
    await change((database) => database.execute(sql`delete from core_event where position = 9`))
    expect((await complaints(settings)).events).toBeUndefined()
  })

  it('reports tables of an earlier and of another version', async () => {
    const rewrite = (from: string, to: string) => (database: Database) =>
      database.execute(sql`update cadastre_schema set schema = replace(schema, ${from}, ${to})`)
    await change(rewrite('"facility":{"type":"text"', '"facility":{"type":"integer"'))
    expect(await complaints(settings)).toEqual({
      tables: expect.stringMatching(/^problem: Another version.*facility/),
    })
    await change(rewrite('"facility":{"type":"integer"', '"facility":{"type":"text"'))
    await change((database) =>
      database.execute(sql`update cadastre_schema set schema = jsonb_set(schema::jsonb, '{indexes}', '{}')::text`),
    )
    expect(await complaints(settings)).toEqual({
      tables: expect.stringMatching(/^warning: The next start changes the tables/),
    })
  })
})

describe('doctor', () => {
  it('reports permissions that are too wide, and creates nothing itself', async () => {
    const directory = directoryOfTest()
    const settings = readSettings({ DATA_DIR: directory, PORT: String(await freePort()) })
    mkdirSync(join(directory, 'media'))
    chmodSync(join(directory, 'media'), 0o777)
    writeFileSync(join(directory, 'secrets.json'), '{}')
    chmodSync(join(directory, 'secrets.json'), 0o644)
    expect(await complaints(settings)).toEqual({
      database: expect.stringMatching(/^problem: There is none in .*, so nothing has been examined\.$/),
      'media directory': expect.stringMatching(/^warning: Everybody may write to/),
      secrets: expect.stringMatching(/^problem: Other users may read/),
    })
  })

  it('says why a server cannot be used', async () => {
    const settings = readSettings({
      DATA_DIR: directoryOfTest(),
      PORT: String(await freePort()),
      DATABASE_URL: 'postgres://127.0.0.1:1/none',
    })
    expect(await complaints(settings)).toEqual({
      database: expect.stringMatching(/^problem: DATABASE_URL names a server that cannot be used/),
    })
  })
})

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { describe, expect, it, onTestFinished } from 'vitest'
import { coreOver, modelRegistry, registryIn } from '../../src/app/core.ts'
import { filesInRecords, removeUnusedFiles } from '../../src/automation/jobs/unused-files.ts'
import { checkMediaBucket } from '../../src/cli/doctor/media.ts'
import { loadSecrets } from '../../src/config/secrets.ts'
import { readSettings } from '../../src/config/settings.ts'
import { sql } from '../../src/sql/fragment.ts'
import { writeBackup } from '../../src/transfer/backup/backup.ts'
import { restoreBackup } from '../../src/transfer/backup/restore.ts'
import { exportDataSet } from '../../src/transfer/export-directory.ts'
import { importDataSet } from '../../src/transfer/import-directory.ts'
import { mediaStore } from '../../src/write/media/media-store.ts'
import { S3Bucket } from '../../src/write/media/s3-bucket.ts'
import { ADMIN_TOKEN, type Api, apiOfTest } from '../support/api.ts'
import { bucketOfTest } from '../support/bucket.ts'
import { databaseOfTest } from '../support/database.ts'
import { directoryOfTest } from '../support/directory.ts'

/** Where uploaded files can be: the settings of a new place, and how it fails and recovers. */
const PLACES = {
  'DATA_DIR/media': async () => {
    const directory = directoryOfTest()
    return { environment: { DATA_DIR: directory }, ...outageOf(join(directory, 'media')) }
  },
  'the directory MEDIA_ROOT': async () => {
    const directory = join(directoryOfTest(), 'files')
    const environment = { DATA_DIR: directoryOfTest(), MEDIA_ROOT: directory }
    return { environment, ...outageOf(directory) }
  },
  'a bucket': async () => {
    const { url, keys, stop, start } = await bucketOfTest()
    const environment = { DATA_DIR: directoryOfTest(), MEDIA_ROOT: `${url}/some/prefix/`, ...keys }
    return { environment, fail: stop, recover: start }
  },
}
const NAMES = Object.keys(PLACES) as (keyof typeof PLACES)[]

/** A file in the place of the directory makes it unusable for every user, root included. */
const outageOf = (directory: string) => ({
  fail: async () => {
    renameSync(directory, `${directory}.aside`)
    writeFileSync(directory, '')
  },
  recover: async () => {
    rmSync(directory)
    renameSync(`${directory}.aside`, directory)
  },
})

const picture = async (width: number) =>
  new Uint8Array(
    await sharp({ create: { width, height: 2, channels: 3, background: '#f00' } })
      .png()
      .toBuffer(),
  )

const ATTACHMENTS = '/api/extras/image-attachments/'

async function upload(api: Api, width: number, query = '') {
  const form = new FormData()
  form.set('object_type', 'dcim.site')
  form.set('object_id', '1')
  form.set('image', new Blob([await picture(width)], { type: 'image/png' }), 'red ü.png')
  return await api.ask('POST', `${ATTACHMENTS}${query}`, { body: form })
}

/** Puts the picture on the object; returns its path. */
async function setImage(api: Api, path: string, field: string, width: number): Promise<string> {
  const form = new FormData()
  form.set(field, new Blob([await picture(width)], { type: 'image/png' }), `${field}.png`)
  const { status, json, text } = await api.ask('PATCH', path, { body: form })
  expect(status, text).toBe(200)
  return String(json[field]).replace(api.url, '')
}

/** The width of the picture at a path. */
async function widthAt(api: Api, path: string): Promise<number | undefined> {
  const response = await fetch(api.url + path, { headers: { authorization: `Token ${ADMIN_TOKEN}` } })
  if (response.status !== 200) return undefined
  expect(response.headers.get('content-type')).toBe('image/png')
  return (await sharp(Buffer.from(await response.arrayBuffer())).metadata()).width
}

async function apiWithSite(environment: Readonly<Record<Uppercase<string>, string>>): Promise<Api> {
  const api = await apiOfTest(environment)
  await api.make('dcim/sites', { name: 'Here', slug: 'here' })
  return api
}

const idsOfChanges = (api: Api, type: string) =>
  api.service.database.query<{ id: number }>(
    sql`select id from core_objectchange where changed_object_type = ${type} order by id desc`,
  )

describe.each(NAMES)('uploaded files in %s', (name) => {
  it('are stored, shown to users with permission, come back by an undo, and go with their change records', async () => {
    const { environment } = await PLACES[name]()
    const api = await apiWithSite(environment)
    const stored = () => mediaStore(api.service.settings).list()
    const tried = await upload(api, 3, '?dry_run=true')
    expect(await stored()).toEqual([])
    const made = await upload(api, 3)
    expect([made.status, made.json.image_width, made.json.image_height]).toEqual([201, 3, 2])
    const path = String(made.json.image).replace(api.url, '')
    expect(JSON.stringify(tried.json)).toContain(path)
    expect(await stored()).toEqual(['image-attachments/site_1_red_ü.png'])
    expect(await widthAt(api, path)).toBe(3)
    expect((await api.ask('GET', path, { token: null })).status).toBe(403)
    for (const wrong of ['/media/../secrets.json', '/media/x%2f..%2f..%2fsecrets.json', '/media/']) {
      expect((await api.ask('GET', wrong)).status).toBe(404)
    }
    // Another file of the same name does not replace it.
    const second = await upload(api, 4)
    expect([await widthAt(api, path), (await stored()).length]).toEqual([3, 2])
    expect(await widthAt(api, String(second.json.image).replace(api.url, ''))).toBe(4)

    await api.ask('DELETE', `${ATTACHMENTS}${made.json.id}/`)
    expect(await widthAt(api, path)).toBeUndefined()
    const [deletion] = await idsOfChanges(api, 'extras.imageattachment')
    const undone = await api.ask('POST', `/api/core/object-changes/${deletion?.id}/undo/`)
    expect(undone.status, undone.text).toBe(200)
    expect(await widthAt(api, path)).toBe(3)

    const prune = async () => {
      const ids = (await idsOfChanges(api, 'extras.imageattachment')).map(({ id }) => id)
      const files = await filesInRecords(api.service, ids)
      await api.service.database.execute(sql`delete from core_objectchange where id = any(${ids}::bigint[])`)
      await removeUnusedFiles(api.service, files)
    }
    await prune()
    expect((await stored()).length).toBe(2)
    await api.ask('DELETE', `${ATTACHMENTS}${made.json.id}/`)
    expect((await stored()).length).toBe(2)
    await prune()
    expect((await stored()).length).toBe(1)
  })

  it('are replaced, and an undo brings the earlier one back', async () => {
    const { environment } = await PLACES[name]()
    const api = await apiOfTest(environment)
    const manufacturer = await api.make('dcim/manufacturers', { name: 'M', slug: 'm' })
    const type = await api.make('dcim/device-types', { manufacturer, model: 'T', slug: 't' })
    const path = `/api/dcim/device-types/${type}/`
    const first = await setImage(api, path, 'front_image', 3)
    const second = await setImage(api, path, 'front_image', 5)
    expect([await widthAt(api, first), await widthAt(api, second)]).toEqual([undefined, 5])
    const [replacement] = await idsOfChanges(api, 'dcim.devicetype')
    expect((await api.ask('POST', `/api/core/object-changes/${replacement?.id}/undo/`)).status).toBe(200)
    expect([await widthAt(api, first), await widthAt(api, second)]).toEqual([3, undefined])
  })

  it('are refused with 503 while they cannot be kept, without a row, and work again afterwards', async () => {
    const { environment, fail, recover } = await PLACES[name]()
    const api = await apiWithSite(environment)
    const made = await upload(api, 3)
    const path = String(made.json.image).replace(api.url, '')
    await fail()
    for (const { status, json, headers } of [await upload(api, 4), await api.ask('GET', path)]) {
      expect([status, json.detail]).toEqual([
        503,
        expect.stringMatching(
          /^Uploaded files can be neither stored nor read: (DATA_DIR|MEDIA_ROOT) cannot be used \(E/,
        ),
      ])
      expect(headers.get('retry-after')).toBe('5')
    }
    // Whether a name is free cannot be told without the bucket.
    const { json: tried } = await upload(api, 4, '?dry_run=true')
    expect(tried.status).toBe(name === 'a bucket' ? 503 : 201)
    // Everything else works.
    const renamed = await api.ask('PATCH', `${ATTACHMENTS}${made.json.id}/`, { body: { name: 'N' } })
    expect([renamed.status, (await api.ask('GET', ATTACHMENTS)).json.count]).toEqual([200, 1])
    await recover()
    expect(await widthAt(api, path)).toBe(3)
    expect((await upload(api, 4)).status).toBe(201)
  })

  const target = NAMES[(NAMES.indexOf(name) + 1) % NAMES.length] ?? name
  it(`are in a backup and in an export, which bring them to ${target}`, async () => {
    const api = await apiWithSite((await PLACES[name]()).environment)
    await upload(api, 3)
    const expected = { 'image-attachments/site_1_red_ü.png': Buffer.from(await picture(3)) }
    const registry = modelRegistry()
    const file = join(directoryOfTest(), 'backup.tar.gz')
    const { settings, database } = api.service
    const report = await writeBackup(database, file, { registry, settings, program: '1', withSecrets: true })
    expect(report.media).toBe(1)

    const there = readSettings((await PLACES[target]()).environment)
    const store = mediaStore(there)
    const contents = async () =>
      Object.fromEntries(await Promise.all((await store.list()).map(async (path) => [path, await store.read(path)])))
    // Tables that are there are replaced only on demand. A damaged backup changes nothing; a whole one replaces everything.
    const restored = await databaseOfTest('migrated')
    const half = join(directoryOfTest(), 'half.tar.gz')
    const bytes = readFileSync(file)
    writeFileSync(half, bytes.subarray(0, bytes.length - 100))
    const present = { 'image-attachments/site_1_red_ü.png': Buffer.from('mine'), 'x/y.txt': Buffer.from('mine') }
    for (const [path, content] of Object.entries(present)) await store.write(path, content, true)
    await expect(restoreBackup(restored, file, { registryIn, settings: there, replace: false })).rejects.toThrow()
    await expect(restoreBackup(restored, half, { registryIn, settings: there, replace: true })).rejects.toThrow()
    expect(await contents()).toEqual(present)
    await restoreBackup(restored, file, { registryIn, settings: there, replace: true })
    expect(await contents()).toEqual(expected)

    const set = join(directoryOfTest(), 'set')
    expect((await exportDataSet(api.service, set)).media).toBe(1)
    for (const path of await store.list()) await store.remove(path)
    const secrets = loadSecrets(there, () => undefined)
    const core = await coreOver(await databaseOfTest('migrated'), there, secrets)
    expect((await importDataSet(core.service, set)).media).toBe(1)
    expect(await contents()).toEqual(expected)
  })
})

/** A bucket whose next request of a method waits for `release`, and may be answered differently. */
async function bucketThatWaits(
  held: string,
  answer?: (path: string, files: Map<string, Buffer>) => number | undefined,
) {
  const files = new Map<string, Buffer>()
  const [arrival, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '' } = request
    const body = await buffer(request)
    if (method === held) {
      arrival.resolve()
      await release.promise
    }
    const status = method === 'PUT' ? answer?.(path, files) : undefined
    if (method === 'PUT' && status === undefined) files.set(path, body)
    if (method === 'DELETE') files.delete(path)
    const stored = files.get(path)
    const size = { 'content-length': String(stored?.length ?? 0) }
    response.writeHead(status ?? (stored || method === 'PUT' ? 200 : 404), method === 'HEAD' ? size : {})
    response.end(method === 'GET' ? stored : undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    release.resolve()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const environment = { DATA_DIR: directoryOfTest(), MEDIA_ROOT: `http://127.0.0.1:${port}/b`, ...KEYS }
  return { environment, files, arrived: arrival.promise, release: release.resolve }
}

describe('while a bucket does not respond', () => {
  const uploads: Readonly<Record<string, (api: Api) => Promise<{ status: number }>>> = {
    'a new image': (api) => upload(api, 3),
    'two images of one request': async (api) => {
      const form = new FormData()
      const image = new Blob([await picture(3)], { type: 'image/png' })
      for (const side of ['front', 'rear']) form.set(`${side}_image`, image, `${side}.png`)
      return await api.ask('PATCH', '/api/dcim/device-types/1/', { body: form })
    },
    'a dry run': (api) => upload(api, 3, '?dry_run=true'),
  }

  it.each(Object.entries(uploads))('%s holds neither a connection nor locks', async (name, send) => {
    const { environment, arrived, release } = await bucketThatWaits(name === 'a dry run' ? 'HEAD' : 'PUT')
    const api = await apiWithSite({ ...environment, DATABASE_POOL_SIZE: '1' })
    const manufacturer = await api.make('dcim/manufacturers', { name: 'M', slug: 'm' })
    await api.make('dcim/device-types', { manufacturer, model: 'T', slug: 't' })
    const sent = send(api)
    await arrived
    const { open, idle, waiting } = api.service.database.connections()
    expect([open - idle, waiting]).toEqual([0, 0])
    for (const path of ['/api/dcim/sites/1/', '/api/dcim/device-types/1/']) {
      expect((await api.ask('PATCH', path, { body: { description: 'changed meanwhile' } })).status).toBe(200)
    }
    release()
    expect((await sent).status).toBe(name === 'a new image' ? 201 : 200)
  })

  it('an object that is deleted meanwhile leaves no file', async () => {
    const { environment, files, arrived, release } = await bucketThatWaits('PUT')
    const api = await apiWithSite(environment)
    const sent = upload(api, 3)
    await arrived
    expect((await api.ask('DELETE', '/api/dcim/sites/1/')).status).toBe(204)
    release()
    expect((await sent).status).toBe(400)
    expect([...files.keys()]).toEqual([])
  })

  it('a refused body sends no file', async () => {
    const { environment, files } = await bucketThatWaits('')
    const api = await apiOfTest(environment)
    expect((await upload(api, 3)).status).toBe(400)
    expect([...files.keys()]).toEqual([])
  })

  it('the first of two files is removed if the second is refused', async () => {
    const { environment, files } = await bucketThatWaits('', (path) => (path.includes('rear') ? 403 : undefined))
    const api = await apiOfTest(environment)
    const manufacturer = await api.make('dcim/manufacturers', { name: 'M', slug: 'm' })
    await api.make('dcim/device-types', { manufacturer, model: 'T', slug: 't' })
    expect((await uploads['two images of one request']?.(api))?.status).toBe(503)
    expect([...files.keys()]).toEqual([])
  })
})

it.each<[string, (path: string, files: Map<string, Buffer>) => number]>([
  ['confirms a file without storing it', () => 200],
  ['stores half a file', (path, files) => (files.set(path, Buffer.from('half')) ? 200 : 500)],
])('an upload to a bucket that %s is refused, and no object is stored', async (_what, answer) => {
  const { environment } = await bucketThatWaits('', answer)
  const api = await apiWithSite(environment)
  const { status, json } = await upload(api, 3)
  expect([status, json.detail]).toEqual([503, expect.stringMatching(/confirmed a file that it does not have/)])
  expect((await api.ask('GET', ATTACHMENTS)).json.count).toBe(0)
})

const KEYS = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' }
const BUCKET = 'https://s3.example.com/bucket'

it.each([
  [{ MEDIA_ROOT: 's3://bucket/prefix', ...KEYS }, 'MEDIA_ROOT must be a directory, or the URL of an S3 bucket'],
  [{ MEDIA_ROOT: 'https://s3.example.com/', ...KEYS }, 'MEDIA_ROOT must be a directory, or the URL of an S3 bucket'],
  [{ MEDIA_ROOT: 'https://s3.example.com/%', ...KEYS }, 'MEDIA_ROOT must be a directory, or the URL of an S3 bucket'],
  [{ BACKUP_DIRECTORY: 'ftp://x/y', ...KEYS }, 'BACKUP_DIRECTORY must be a directory, or the URL of an S3 bucket'],
  [{ MEDIA_ROOT: BUCKET }, 'MEDIA_ROOT names a bucket, which needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.'],
  [
    { BACKUP_DIRECTORY: BUCKET, AWS_ACCESS_KEY_ID: 'a' },
    'BACKUP_DIRECTORY names a bucket, which needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  ],
  [
    { MEDIA_ROOT: BUCKET, BACKUP_DIRECTORY: `${BUCKET}/backups/`, ...KEYS },
    'BACKUP_DIRECTORY must not be below MEDIA_ROOT, whose files are part of each backup.',
  ],
  [{ MEDIA_ROOT: `${BUCKET}/media/`, BACKUP_DIRECTORY: `${BUCKET}/media-backups`, ...KEYS }, undefined],
  [{ MEDIA_ROOT: '/srv/media' }, undefined],
])('the settings %j are checked', (environment, refusal) => {
  if (refusal === undefined) expect(readSettings(environment)).toMatchObject({ mediaRoot: environment.MEDIA_ROOT })
  else expect(() => readSettings(environment)).toThrow(refusal)
})

it.each([
  ['', 'S3RVER', 'ok', /can be written, read and listed\.$/],
  ['-2', 'S3RVER', 'problem', /404.*The specified bucket does not exist/],
  ['', 'wrong', 'problem', /403/],
])('doctor tries a bucket: files%s with the secret %s is %s', async (suffix, secret, state, text) => {
  const bucket = await bucketOfTest()
  const environment = { MEDIA_ROOT: bucket.url + suffix, ...bucket.keys, AWS_SECRET_ACCESS_KEY: secret }
  const findings = await checkMediaBucket(readSettings(environment))
  expect(findings).toEqual([expect.objectContaining({ state, text: expect.stringMatching(text) })])
  expect(bucket.files()).toEqual([])
  await bucket.stop()
  expect(await checkMediaBucket(readSettings(environment))).toMatchObject([
    { state: 'problem', text: expect.stringContaining('ECONNREFUSED') },
  ])
})

describe('a bucket', () => {
  /** A server that answers each request by the first line that begins so. */
  async function bucketThatAnswers(lines: Readonly<Record<string, readonly [status: number, body: string]>>) {
    const server = createServer((request, response) => {
      const asked = `${request.method} ${decodeURIComponent(request.url ?? '')} ${request.headers['if-none-match'] ?? ''}`
      const [, [status, body] = [200, '']] = Object.entries(lines).find(([line]) => asked.startsWith(line)) ?? []
      response.writeHead(status).end(body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    return new S3Bucket(`http://127.0.0.1:${port}/b/p`, { awsAccessKeyId: 'a', awsSecretAccessKey: 'b' })
  }
  const page = (key: string, next: string) =>
    `<ListBucketResult><IsTruncated>${next !== ''}</IsTruncated>${next}<Contents><Key>${key}</Key></Contents></ListBucketResult>`
  const error = (code: string) => `<Error><Code>${code}</Code><Message>${code}.</Message></Error>`

  it('with many files is listed page by page', async () => {
    const bucket = await bucketThatAnswers({
      'GET /b?list-type=2&prefix=p/&continuation-token=x&y': [200, page('p/ü b', '')],
      'GET /b?list-type=2&prefix=p/': [200, page('p/d/a', '<NextContinuationToken>x&amp;y</NextContinuationToken>')],
    })
    expect(await bucket.list()).toEqual(['d/a', 'ü b'])
  })

  it.each([
    ['has one of the name', { 'HEAD ': [200, ''] }, false],
    ['got one in the meantime', { 'HEAD ': [404, ''], 'PUT /b/p/x/y *': [412, error('PreconditionFailed')] }, false],
    ['gets one', { 'HEAD ': [404, ''], 'PUT /b/p/x/y *': [409, error('ConditionalRequestConflict')] }, false],
  ] as const)('that %s: a new file is not written over another', async (_what, lines, isWritten) => {
    const bucket = await bucketThatAnswers(lines)
    expect(await bucket.write('x/y', Buffer.from('z'), false)).toBe(isWritten)
  })

  it.each([
    ['NoSuchKey', 404, undefined],
    ['NoSuchBucket', 404, 'NoSuchBucket.'],
    ['AccessDenied', 403, 'AccessDenied.'],
    ['SlowDown', 503, 'SlowDown.'],
  ])('that answers %s', async (code, status, refusal) => {
    const bucket = await bucketThatAnswers({ 'GET ': [status, error(code)] })
    if (refusal === undefined) expect(await bucket.read('x')).toBeUndefined()
    else await expect(bucket.read('x')).rejects.toThrow(refusal)
  })
})

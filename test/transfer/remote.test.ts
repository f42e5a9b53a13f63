import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { modelRegistry } from '../../src/app/core.ts'
import { loadSecrets } from '../../src/config/secrets.ts'
import { readSettings } from '../../src/config/settings.ts'
import { createVault } from '../../src/identity/vault.ts'
import { createService } from '../../src/service.ts'
import { raw } from '../../src/sql/fragment.ts'
import { exportDataSet } from '../../src/transfer/export-directory.ts'
import { importDataSet } from '../../src/transfer/import-directory.ts'
import { type DownloadOptions, download } from '../../src/transfer/remote/download.ts'
import { ADMIN_TOKEN, type Api, startApi } from '../support/api.ts'
import { databaseOfTest } from '../support/database.ts'

const DATA = join(import.meta.dirname, '../data/inventory')
const registry = modelRegistry()

function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'cadastre-remote-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

const linesOf = (path: string): readonly string[] => gunzipSync(readFileSync(path)).toString().trim().split('\n')

const fetchInto = (directory: string, source: string, more: Partial<DownloadOptions> = {}) =>
  download({ source, token: ADMIN_TOKEN, directory, registry, patience: 1, ...more })

/** A service in front of another one, which can respond in its place. */
async function inFront(
  target: string,
  instead: (request: IncomingMessage, answer: ServerResponse) => boolean | Promise<boolean>,
): Promise<string> {
  const server = createServer(async (request, answer) => {
    if (await instead(request, answer)) return
    const { authorization = '', host = '' } = request.headers
    const reply = await fetch(target + request.url, {
      headers: { authorization, accept: 'application/json' },
    })
    const text = Buffer.from(await reply.arrayBuffer())
    answer.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? '' })
    // As a proxy that keeps the Host header.
    const isJson = reply.headers.get('content-type')?.startsWith('application/json')
    answer.end(isJson ? text.toString().replaceAll(new URL(target).host, host) : text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const fail = (answer: ServerResponse, status: number, headers = {}): true => {
  answer.writeHead(status, headers).end('{"detail": "Not now."}')
  return true
}

describe('import from a running service', () => {
  let api: Api
  let dataDir: string

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'cadastre-remote-source-'))
    api = await startApi({ DATA_DIR: dataDir, MAX_PAGE_SIZE: '3' })
    const vault = createVault(
      loadSecrets(readSettings({ DATA_DIR: dataDir }), () => undefined),
      false,
    )
    await importDataSet(api.service, DATA, { vault })
    const rir = await api.ask('POST', '/api/ipam/rirs/', { body: { name: 'Near', slug: 'near' } })
    const range = { name: 'Ours', slug: 'ours', rir: rir.json.id, start: 64512, end: 64520 }
    expect((await api.ask('POST', '/api/ipam/asn-ranges/', { body: range })).status).toBe(201)
    const picture = new FormData()
    picture.set('object_type', 'dcim.site')
    picture.set('object_id', '21')
    const bytes = readFileSync(join(DATA, 'media/image-attachments/pier.png'))
    picture.set('image', new File([bytes], 'Räck 1.png'))
    const upload = await api.ask('POST', '/api/extras/image-attachments/', { body: picture })
    expect(upload.status).toBe(201)
  })
  afterAll(async () => {
    await api.close()
    rmSync(dataDir, { recursive: true })
  })

  it('transfers all that an API shows, and reports what it cannot transfer', async () => {
    const place = temporaryDirectory()
    const report = await fetchInto(join(place, 'set'), `${api.url}/api/`)
    const settings = readSettings({ DATA_DIR: join(place, 'data') })
    const database = await databaseOfTest('migrated')
    const service = createService(registry, database, settings)
    const vault = createVault(
      loadSecrets(settings, () => undefined),
      false,
    )
    const { leftOut, media } = await importDataSet(service, join(place, 'set'), { vault })
    expect({ leftOut, media }).toEqual({ leftOut: [], media: 2 })
    expect(report.missingMedia).toEqual([])
    const { exported } = await exportDataSet(api.service, join(place, 'source'))
    await exportDataSet(service, join(place, 'here'))

    for (const { endpoint } of exported) {
      const file = `${endpoint}.jsonl.gz`
      expect(linesOf(join(place, 'here', file)), endpoint).toEqual(linesOf(join(place, 'source', file)))
    }
    expect(JSON.parse(linesOf(join(place, 'set/dcim/sites.jsonl.gz'))[0] ?? '')).toMatchObject({
      url: '{base}/api/dcim/sites/21/',
      region: { url: '{base}/api/dcim/regions/3/' },
    })
    const superusers = 'select username from users_user where is_superuser order by 1'
    expect(await database.queryArrays(raw(superusers))).toEqual(await api.service.database.queryArrays(raw(superusers)))
    const { users, tokens } = report.omissions
    const [[known] = []] = await api.service.database.queryArrays(raw('select count(*) from users_user'))
    expect(users).toBe(known)
    expect(tokens).not.toEqual([])
    expect(JSON.stringify(report)).not.toContain(ADMIN_TOKEN.slice(-6))
  })

  it('continues after a source has failed, and retries what may succeed later', async () => {
    const directory = join(temporaryDirectory(), 'set')
    const asked: string[] = []
    let isDown = true
    let failures = 0
    const source = await inFront(api.url, (request, answer) => {
      const path = request.url ?? ''
      asked.push(path)
      if (isDown && path.startsWith('/api/ipam/prefixes/?start')) return fail(answer, 503)
      if (asked.filter((each) => each === path).length > 1) return false
      failures += 1
      if (failures % 5 === 0) return fail(answer, 429, { 'retry-after': '0' })
      if (failures % 7 === 0) request.socket.destroy()
      return failures % 7 === 0
    })
    await expect(fetchInto(directory, source, { parallel: 1 })).rejects.toThrow(
      /does not respond to \/api\/ipam\/prefixes\/.* \(status 503, 6 attempts\)/,
    )
    isDown = false
    asked.length = 0
    const report = await fetchInto(directory, source)
    expect(report.kept).toBeGreaterThan(0)
    expect(asked.filter((path) => path.includes('/dcim/sites/?start'))).toEqual([])
    expect(linesOf(join(directory, 'ipam/prefixes.jsonl.gz'))).toHaveLength(
      (await api.ask('GET', '/api/ipam/prefixes/')).json.count as unknown as number,
    )
    await expect(fetchInto(directory, api.url)).rejects.toThrow('contains data of')
  })

  it('uses an offset if the source does not know start', async () => {
    const source = await inFront(api.url, (request) => {
      request.url = request.url?.replace('start=0', 'offset=0')
      return false
    })
    const place = temporaryDirectory()
    await fetchInto(join(place, 'one'), source)
    await fetchInto(join(place, 'other'), api.url)
    for (const file of ['dcim/interfaces', 'core/object-types'].map((each) => `${each}.jsonl.gz`)) {
      expect(linesOf(join(place, 'one', file))).toEqual(linesOf(join(place, 'other', file)))
    }
  })

  it('fetches again what has changed in the meantime', async () => {
    let isWritten = false
    const source = await inFront(api.url, async (request) => {
      if (!isWritten && request.url?.startsWith('/api/dcim/sites/?start')) {
        isWritten = true
        await api.ask('POST', '/api/dcim/manufacturers/', { body: { name: 'New', slug: 'new' } })
      }
      return false
    })
    const directory = join(temporaryDirectory(), 'set')
    const { isMoving } = await fetchInto(directory, source)
    expect(isMoving).toBe(false)
    const text = linesOf(join(directory, 'dcim/manufacturers.jsonl.gz')).join()
    expect(text).toContain('"slug":"new"')
    const { changed_object_type } = JSON.parse(linesOf(join(directory, 'core/object-changes.jsonl.gz')).at(-1) ?? '')
    expect(changed_object_type).toBe('dcim.manufacturer')
  })

  it.each([
    ['a wrong token', {}, { token: 'f'.repeat(40) }, /refuses the token for .*Invalid v1 token/],
    ['an invalid token', {}, { token: 'secret\nsecret' }, /^The token contains spaces/],
    ['another service', { body: '<html>' }, {}, /not JSON\. It has no such API/],
    ['another API', { body: '{"hello": "you"}' }, {}, /is not the root of an API/],
    ['a redirect', { status: 302 }, {}, /redirects to another address/],
  ])(
    'explains a failure in one message: %s',
    async (_, { body, status }: { body?: string; status?: number }, more, message) => {
      const source = await inFront(api.url, (_request, answer) => {
        if (body === undefined && status === undefined) return false
        answer.writeHead(status ?? 200, { location: 'https://elsewhere.example/' }).end(body)
        return true
      })
      const work = fetchInto(join(temporaryDirectory(), 'set'), source, more)
      await expect(work).rejects.toThrow(message)
      await expect(work).rejects.toThrow(expect.not.stringContaining('secret'))
    },
  )

  it('reports that TLS failed', async () => {
    const source = api.url.replace('http:', 'https:')
    await expect(fetchInto(join(temporaryDirectory(), 'set'), source)).rejects.toThrow('does not speak TLS as expected')
  })
})

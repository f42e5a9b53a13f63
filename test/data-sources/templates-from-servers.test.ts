import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import { AwsClient } from 'aws4fetch'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startApi } from '../support/api.ts'
import { commitTree } from '../support/git-repository.ts'
import { startGitServer } from '../support/git-server.ts'
import { TestClock } from '../support/test-clock.ts'

const FILE = 'motd.j2'

/** A directory for one test. */
async function directory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'cadastre-templates-'))
  onTestFinished(() => rm(path, { recursive: true }))
  return path
}

/** A service with a data source that is synchronised every hour, and a config template that follows its file. */
async function templateFrom(source: object) {
  const clock = new TestClock()
  const networks = { DATA_SOURCE_ALLOWED_NETWORKS: '127.0.0.0/8' }
  const api = await startApi(networks, undefined, clock)
  onTestFinished(() => api.close())
  const create = async (path: string, body: object): Promise<number> => {
    const { status, json, text } = await api.ask('POST', `/api/${path}/`, { body })
    expect(status, text).toBe(201)
    return Number(json.id)
  }
  const id = await create('core/data-sources', { name: 'templates', sync_interval: 60, ...source })
  await api.background.runUntilIdle()
  const files = await api.ask('GET', `/api/core/data-files/?source_id=${id}`)
  const [file] = files.json.results ?? []
  const template = await create('extras/config-templates', {
    ...{ name: 'motd', template_code: 'none yet', auto_sync_enabled: true },
    ...{ data_source: id, data_file: file?.id },
  })
  const path = `/api/extras/config-templates/${template}/`
  return {
    content: async () => (await api.ask('GET', path)).json.template_code,
    synchronise: async () => {
      await api.ask('POST', `/api/core/data-sources/${id}/sync/`)
      await api.background.runUntilIdle()
    },
    anHourPasses: async () => {
      clock.advance(3_600_000)
      await api.background.runUntilIdle()
    },
  }
}

describe('a config template follows its file', () => {
  it('in a git repository, when the source is synchronised after a commit', async () => {
    const folder = await directory()
    const push = (text: string) => commitTree(join(folder, 'site'), 'main', { [FILE]: text })
    await push('Welcome')
    const server = await startGitServer(folder)
    onTestFinished(() => server.close())
    const template = await templateFrom({
      ...{ type: 'git', source_url: `${server.url}/site/.git` },
      parameters: { branch: 'main' },
    })

    await push('Welcome to {{ device.name }}')
    await template.synchronise()
    expect(await template.content()).toBe('Welcome to {{ device.name }}')
  })

  it('in an S3 bucket, when the source is synchronised after an upload', async () => {
    const server = new S3rver({
      ...{ port: 0, address: '127.0.0.1', silent: true, directory: await directory() },
      configureBuckets: [{ name: 'files', configs: [] }],
    })
    const { port } = await server.run()
    onTestFinished(() => server.close())
    const bucket = `http://127.0.0.1:${port}/files`
    const keys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
    const client = new AwsClient({ ...keys, service: 's3' })
    const upload = (body: string) => client.fetch(`${bucket}/${FILE}`, { method: 'PUT', body })
    await upload('Welcome')
    const template = await templateFrom({
      ...{ type: 'amazon-s3', source_url: bucket },
      parameters: { aws_access_key_id: 'S3RVER', aws_secret_access_key: 'S3RVER' },
    })

    await upload('Welcome to {{ device.name }}')
    await template.synchronise()
    expect(await template.content()).toBe('Welcome to {{ device.name }}')
  })

  it('every hour, without a request', async () => {
    const folder = await directory()
    const push = (text: string) => commitTree(join(folder, 'site'), 'main', { [FILE]: text })
    await push('Welcome')
    const server = await startGitServer(folder)
    onTestFinished(() => server.close())
    const source = { type: 'git', source_url: `${server.url}/site/.git` }
    const template = await templateFrom(source)

    await push('Welcome to {{ device.name }}')
    expect(await template.content()).not.toContain('Welcome to')
    await template.anHourPasses()
    expect(await template.content()).toBe('Welcome to {{ device.name }}')
  })
})

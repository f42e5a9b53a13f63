import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeBackup } from '../../src/transfer/backup/backup.ts'
import { type Api, type Ask, type Document, startApi } from '../support/api.ts'
import { writeTree } from '../support/git-repository.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { untilTemplatesRender } from '../support/templates.ts'

const SCRIPT = `
from dcim.models import Site
from extras.scripts import Script, StringVar

class Renames(Script):
    name = StringVar()

    def run(self, data, commit):
        return Site.objects.create(name=data["name"], slug=data["name"]).name
`

/**
 * Parts of the service that share a process. Each is a way in which a user can use it, with an assertion that it worked. No part may
 * close or replace something that another one needs.
 */
const PARTS = [
  'a script',
  'a config template',
  'an export template',
  'a data source',
  'a webhook with a body template',
  'an import',
  'an undo',
  'a backup',
] as const

describe('one part of the service after another', () => {
  let api: Api
  let receiver: Receiver & { close(): void }
  let ids: Readonly<Record<'script' | 'config' | 'source', number>>
  let count = 0
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'parts-')))
  const nextName = (): string => `site-${++count}`

  const send = async (method: string, path: string, body?: Ask['body']): Promise<Document> => {
    const { status, text } = await api.ask(method, path, { body })
    expect(status, `${path}: ${text}`).toBeLessThan(400)
    return text.startsWith('{') ? JSON.parse(text) : ({} as Document)
  }
  const settle = () => api.background.runUntilIdle()

  beforeAll(async () => {
    receiver = await startReceiver()
    writeFileSync(join(folder, 'things.py'), SCRIPT)
    await writeTree(join(folder, 'files'), { 'a.txt': 'a' })
    api = await startApi({
      ...{ SCRIPTS_ROOT: folder, DATA_SOURCE_DIRECTORIES: folder },
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    })
    await settle()
    const { id: config } = await send('POST', '/api/extras/config-templates/', {
      ...{ name: 'greeting', template_code: 'hello {{ name }}' },
    })
    await send('POST', '/api/extras/export-templates/', {
      ...{ name: 'names', object_types: ['dcim.site'] },
      template_code: '{% for site in queryset %}{{ site.name }}\n{% endfor %}',
    })
    const { id: source } = await send('POST', '/api/core/data-sources/', {
      ...{ name: 'files', type: 'local', source_url: join(folder, 'files') },
    })
    const { id: hook } = await send('POST', '/api/extras/webhooks/', {
      ...{ name: 'hook', payload_url: receiver.url, body_template: 'created {{ data.name }}' },
    })
    await send('POST', '/api/extras/event-rules/', {
      ...{ name: 'rule', object_types: ['dcim.site'], event_types: ['object_created'] },
      ...{ action_type: 'webhook', action_object_type: 'extras.webhook', action_object_id: hook },
    })
    const { results } = await send('GET', '/api/extras/scripts/?name=Renames')
    const [script] = results ?? []
    ids = { script: Number(script?.id), config: Number(config), source: Number(source) }
    await untilTemplatesRender(() => api.ask('POST', `/api/extras/config-templates/${config}/render/`, { body: {} }))
  })
  afterAll(async () => {
    await api.close()
    receiver.close()
    rmSync(folder, { recursive: true })
  })

  const use: Readonly<Record<(typeof PARTS)[number], () => Promise<unknown>>> = {
    'a script': async () => {
      const name = nextName()
      await send('POST', `/api/extras/scripts/${ids.script}/`, { data: { name }, commit: true })
      await settle()
      const { results } = await send('GET', '/api/core/jobs/?ordering=-id&limit=1')
      expect(results?.[0]).toMatchObject({ status: { value: 'completed' } })
    },
    'a config template': async () => {
      const path = `/api/extras/config-templates/${ids.config}/render/`
      expect(await send('POST', path, { name: 'you' })).toMatchObject({ content: 'hello you' })
    },
    'an export template': async () => {
      const { status, text } = await api.ask('GET', '/api/dcim/sites/?export=names')
      expect([status, text]).toEqual([200, expect.stringContaining('site-1\n')])
    },
    'a data source': async () => {
      await send('POST', `/api/core/data-sources/${ids.source}/sync/`)
      await settle()
      const { status } = await send('GET', `/api/core/data-sources/${ids.source}/`)
      expect(status).toMatchObject({ value: 'completed' })
    },
    'a webhook with a body template': async () => {
      const name = nextName()
      await send('POST', '/api/dcim/sites/', { name, slug: name })
      await settle()
      expect(receiver.received.map(({ body }) => body)).toContain(`created ${name}`)
    },
    'an import': async () => {
      const name = nextName()
      const form = new FormData()
      form.append('step', 'import')
      form.append('data', `name,slug,status\n${name},${name},active`)
      await send('POST', '/dcim/sites/import/', form)
      expect(await send('GET', `/api/dcim/sites/?name=${name}`)).toMatchObject({ count: 1 })
    },
    'an undo': async () => {
      const name = nextName()
      const { id } = await send('POST', '/api/dcim/sites/', { name, slug: name })
      const query = `changed_object_type=dcim.site&changed_object_id=${id}`
      const { results } = await send('GET', `/api/core/object-changes/?${query}`)
      await send('POST', `/api/core/object-changes/${results?.[0]?.id}/undo/`)
      expect(await send('GET', `/api/dcim/sites/?name=${name}`)).toMatchObject({ count: 0 })
    },
    'a backup': async () => {
      const { database, registry, settings } = api.service
      const file = join(folder, `${nextName()}.tar.gz`)
      const options = { registry, settings, program: 'test', withSecrets: false }
      await writeBackup(database, file, options)
    },
  }

  it.each(PARTS.flatMap((first) => PARTS.map((second) => ({ first, second }))))(
    'after $first, $second works',
    async ({ first, second }) => {
      if (count === 0) await use['an import']()
      await use[first]()
      await use[second]()
    },
  )
})

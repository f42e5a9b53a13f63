import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Api, apiOfTest } from '../support/api.ts'

// The smallest picture: one pixel.
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==', 'base64')

const ready = (api: Api) => api.ask('GET', '/health/ready', { token: null })

async function upload(api: Api) {
  const site = { name: 'here', slug: 'here' }
  await api.ask('POST', '/api/dcim/sites/', { body: site })
  const form = new FormData()
  form.set('object_type', 'dcim.site')
  form.set('object_id', '1')
  form.set('image', new Blob([new Uint8Array(GIF)]), 'pixel.gif')
  return await api.ask('POST', '/api/extras/image-attachments/', { body: form })
}

/** A DATA_DIR that can be made unusable for every user, root included: a file then replaces the directory. */
function directoryOfTest() {
  const directory = mkdtempSync(join(tmpdir(), 'cadastre-full-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const [dataDir, aside] = [join(directory, 'data'), join(directory, 'aside')]
  mkdirSync(dataDir)
  return {
    dataDir,
    block: () => {
      renameSync(dataDir, aside)
      writeFileSync(dataDir, '')
    },
    unblock: () => {
      rmSync(dataDir)
      renameSync(aside, dataDir)
    },
  }
}

describe('DATA_DIR cannot be written', () => {
  it('an upload gets status 503 and stores no row, and succeeds once the directory can be written', async () => {
    const { dataDir, block, unblock } = directoryOfTest()
    const api = await apiOfTest({ DATA_DIR: dataDir })
    block()
    const refused = await upload(api)
    expect([refused.status, refused.json.detail]).toEqual([
      503,
      expect.stringMatching(/^Uploaded files can be neither stored nor read: DATA_DIR cannot be used \(ENOTDIR\)/),
    ])
    expect((await api.ask('GET', '/api/extras/image-attachments/')).json.count).toBe(0)
    // Everything except files is stored on the server.
    const still = await ready(api)
    expect([still.status, still.json.status]).toEqual([200, 'ok'])
    expect(still.json.warnings?.[0]).toMatch(/not a directory\. Files cannot be uploaded\.$/)
    unblock()
    expect((await upload(api)).status).toBe(201)
    expect((await ready(api)).json).toEqual({ status: 'ok' })
  })
})

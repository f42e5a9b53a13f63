import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyFiles } from '../../src/transfer/apply-files.ts'
import { type Api, startApi } from '../support/api.ts'

/** Plain scalars, which YAML reads as numbers, booleans or times. */
const TEXTS = [
  ...['12E4', '08', '007', '0x1F', '0o17', '1.0', '1.50', '5.', '+5', '1_000', '9007199254740993'],
  ...['yes', 'True', 'false', 'off', '2026-01-01', '12:30', '12:30:45.5', '.inf', '1e999'],
]

describe('a plain scalar of YAML', () => {
  let api: Api
  const ask = async (path: string) => (await api.ask('GET', `/api/${path}`)).json.results?.[0]
  const importYaml = async (path: string, data: string) => {
    const body = new FormData()
    body.set('data', data)
    body.set('format', 'yaml')
    const answer = await api.ask('POST', `/${path}/import/`, { body })
    expect(answer.status, answer.text).toBeLessThan(400)
  }
  const create = async (path: string, body: object) =>
    expect((await api.ask('POST', `/api/${path}/`, { body })).status).toBe(201)

  beforeAll(async () => {
    api = await startApi()
    await create('dcim/manufacturers', { name: 'Acme', slug: 'acme' })
    await create('dcim/device-roles', { name: 'Role', slug: 'role' })
    await create('dcim/sites', { name: 'Site', slug: 'site' })
    await create('dcim/device-types', { manufacturer: { slug: 'acme' }, model: 'T', slug: 't' })
    for (const type of ['text', 'longtext']) {
      await create('extras/custom-fields', { name: type, type, object_types: ['dcim.device'] })
    }
  })
  afterAll(() => api.close())

  describe.each(TEXTS)('%s', (text) => {
    const slug = `s${text.replaceAll(/[^a-zA-Z0-9]/g, '_')}`

    test('is used for text fields of an import', async () => {
      await importYaml(
        'dcim/device-types',
        [
          `manufacturer: Acme\nmodel: ${text}\nslug: ${slug}\nu_height: 01.0\nis_full_depth: False`,
          `part_number: ${text}\ndescription: ${text}\nrear-ports:\n  - {name: ${text}, type: lc, positions: 02}`,
          `front-ports:\n  - {name: ${text}, type: lc, rear_port: ${text}, label: ${text}}\n`,
        ].join('\n'),
      )
      expect(await ask(`dcim/device-types/?slug=${slug}`)).toMatchObject({
        ...{ model: text, part_number: text, description: text },
        ...{ u_height: 1, is_full_depth: false },
      })
      const port = await ask(`dcim/front-port-templates/?name=${encodeURIComponent(text)}`)
      expect(port).toMatchObject({ name: text, label: text })
      await importYaml(
        'dcim/devices',
        [
          `name: ${text}\nserial: ${text}\nasset_tag: ${text}\nrole: Role\nsite: Site\nstatus: active`,
          `manufacturer: Acme\ndevice_type: ${text}\ncf_text: ${text}\ncf_longtext: ${text}`,
        ].join('\n'),
      )
      expect(await ask(`dcim/devices/?serial=${encodeURIComponent(text)}`)).toMatchObject({
        ...{ name: text, serial: text, asset_tag: text, device_type: { model: text } },
        custom_fields: { text, longtext: text },
      })
    })

    test('is used for text fields of an applied document', async () => {
      const document = `
objects:
  dcim.site:
    - {name: ${text}, slug: ${slug}, facility: ${text}, latitude: 01.50}
  dcim.devicetype:
    - {manufacturer: {name: Acme}, model: a${text}, slug: a${slug}, part_number: ${text}}
  dcim.device:
    - name: a${text}
      site: {name: ${text}}
      role: {slug: role}
      device_type: {slug: a${slug}}
      serial: ${text}
      custom_fields: {text: ${text}}
  ipam.prefix:
    - {prefix: 10.0.0.0/8, scope_type: dcim.site, scope_id: {name: ${text}}, description: ${text}}
changelog_message: ${text}`
      const service = api.service
      await applyFiles(service, [{ name: 'test.yaml', text: document }], { dryRun: false })
      expect(await ask(`dcim/sites/?slug=${slug}`)).toMatchObject({
        ...{ name: text, facility: text, latitude: 1.5 },
      })
      expect(await ask(`dcim/devices/?name=${encodeURIComponent(`a${text}`)}`)).toMatchObject({
        ...{ serial: text, site: { name: text }, custom_fields: { text } },
      })
      expect(await ask('ipam/prefixes/')).toMatchObject({
        ...{ description: text, scope: { name: text } },
      })
      expect(await ask('core/object-changes/?limit=1')).toMatchObject({ message: text })
      const { counts } = await applyFiles(service, [{ name: 'test.yaml', text: document }], { dryRun: false })
      expect(counts).toMatchObject({ created: 0, updated: 0, unchanged: 4 })
    })
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inNewBranch } from '../branches/in-branch.ts'
import { type Api, type ApiAnswer, startApi } from '../support/api.ts'
import { untilTemplatesRender } from '../support/templates.ts'

/** A picture of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

for (const place of ['on main', 'in a branch'])
  describe(`a hidden object ${place}`, () => {
    let api: Api
    let user: number
    let token: string
    let made: Readonly<Record<string, number>>
    const ask = (method: string, path: string, body?: unknown): Promise<ApiAnswer> =>
      api.ask(method, path, { token, body })
    const allow = (types: readonly string[], actions: readonly string[], constraints: unknown) =>
      api.make('users/permissions', {
        ...{ name: 'p', object_types: types, actions, constraints, users: [user] },
      })

    beforeAll(async () => {
      const started = await startApi()
      api = place === 'on main' ? started : await inNewBranch(started)
      const password = 'Corr3ct-Horse-Battery'
      user = await api.make('users/users', { username: 'bob', password })
      token = String((await api.ask('POST', '/api/users/tokens/', { body: { user } })).json.key)
      const open_ = await api.make('dcim/sites', { name: 'Open', slug: 'open' })
      const secret = await api.make('dcim/sites', { name: 'Secret', slug: 'secret' })
      const manufacturer = await api.make('dcim/manufacturers', { name: 'Maker', slug: 'maker' })
      const device_type = await api.make('dcim/device-types', {
        ...{ manufacturer, model: 'Box', slug: 'box' },
      })
      const role = await api.make('dcim/device-roles', { name: 'Role', slug: 'role' })
      const device = (name: string, site: number) => api.make('dcim/devices', { name, site, device_type, role })
      const shown = await device('shown', open_)
      const concealed = await device('concealed', secret)
      const port = (of: number) => api.make('dcim/interfaces', { device: of, name: 'eth0', type: '1000base-t' })
      const [near, far] = [await port(shown), await port(concealed)]
      await api.make('dcim/cables', {
        a_terminations: [{ object_type: 'dcim.interface', object_id: near }],
        b_terminations: [{ object_type: 'dcim.interface', object_id: far }],
      })
      const vrf = await api.make('ipam/vrfs', { name: 'hidden vrf', enforce_unique: true })
      const prefix = await api.make('ipam/prefixes', { prefix: '10.0.0.0/24', vrf })
      await api.make('ipam/ip-addresses', { address: '10.9.9.9/24' })
      for (const [name, template_code] of [
        ['all', '{% for s in queryset %}{{ s.name }} {{ s.devices.count() }};{% endfor %}'],
        ['racks', '{% for s in queryset %}{{ s.racks.count() }};{% endfor %}'],
      ]) {
        const body = { name, template_code, object_types: ['dcim.site'] }
        await api.make('extras/export-templates', body)
      }
      made = { open: open_, secret, device_type, role, shown, concealed, near, far, prefix, vrf }
      await allow(['dcim.site'], ['view'], { slug: 'open' })
      await allow(['dcim.site'], ['add', 'change', 'delete'], null)
      await allow(['dcim.device', 'dcim.interface'], ['view'], {
        ...{ id__in: [shown, near] },
      })
      await allow(['dcim.device'], ['add', 'change'], null)
      await allow(['dcim.devicetype', 'dcim.devicerole', 'extras.exporttemplate'], ['view'], null)
      await allow(['core.objectchange', 'extras.imageattachment', 'core.branch'], ['view'], null)
      await allow(['ipam.prefix'], ['view'], null)
      await allow(['ipam.ipaddress'], ['add'], null)
    })
    afterAll(() => api.close())

    describe('cannot be named in a body', () => {
      /** The error of the field, without the name that it mentions. */
      const refusal = async (site: unknown, named: string) => {
        const { device_type, role } = made
        const body = { name: 'x', site, device_type, role }
        const { status, text } = await ask('POST', '/api/dcim/devices/', body)
        return `${status} ${text.replaceAll(named, '…')}`
      }
      it.each(['secret', 'SECRET'])('by its attributes: %s', async (name) => {
        const nobodys = await refusal({ name__iexact: 'nobodys' }, 'nobodys')
        expect(await refusal({ name__iexact: name }, name)).toBe(nobodys)
      })
      it('except by its id, as in NetBox', async () => {
        const path = `/api/dcim/devices/${made.concealed}/`
        const { status, text } = await ask('PATCH', path, { site: made.secret, serial: '1' })
        expect(status, text).toBe(200)
      })
    })

    it('is not revealed by a unique value', async () => {
      const refused = (slug: string) => ask('POST', '/api/dcim/sites/', { name: 'n', slug })
      expect((await refused('open')).json).toEqual({
        slug: ['site with this slug already exists.'],
      })
      expect((await refused('secret')).json).toEqual({ slug: ['This value cannot be used.'] })
    })

    it('is not revealed by a rule', async () => {
      const { json } = await ask('POST', '/api/ipam/ip-addresses/', { address: '10.9.9.9/32' })
      expect(json).toEqual({ address: ['This value cannot be used.'] })
    })

    it('is not named among the objects that prevent a deletion', async () => {
      const seen = await ask('DELETE', `/api/dcim/sites/${made.open}/`)
      expect([seen.status, seen.json.detail]).toEqual([409, expect.stringContaining('shown')])
      const { status, json } = await ask('DELETE', `/api/dcim/sites/${made.secret}/`)
      expect([status, json.detail]).toEqual([409, expect.stringContaining('that you may not view')])
      expect(String(json.detail)).not.toContain('concealed')
    })

    it('is in no change record', async () => {
      const changes = async (query: string) => {
        const { json } = await ask('GET', `/api/core/object-changes/?${query}`)
        return (json.results ?? []).map(({ changed_object_id: id }) => Number(id))
      }
      expect(await changes('changed_object_type=dcim.site')).toEqual([made.open])
      expect(await changes(`changed_object_type=dcim.site&changed_object_id=${made.secret}`)).toEqual([])
      expect(await changes('changed_object_type=ipam.vrf')).toEqual([])
      const { json } = await api.ask(
        'GET',
        `/api/core/object-changes/?changed_object_type=dcim.site&changed_object_id=${made.secret}`,
      )
      const id = json.results?.[0]?.id
      expect((await ask('GET', `/api/core/object-changes/${id}/`)).status).toBe(404)
    })

    it('is in no export, even if the export follows relations', async () => {
      await untilTemplatesRender(() => ask('GET', '/api/dcim/sites/?export=all'))
      const { status, text } = await ask('GET', '/api/dcim/sites/?export=all')
      expect([status, text]).toEqual([200, 'Open 1;'])
      // An incomplete text could be mistaken for a complete one.
      const racks = await ask('GET', '/api/dcim/sites/?export=racks')
      expect([racks.status, racks.json.detail]).toEqual([400, expect.stringContaining('may not view racks')])
    })

    it('is omitted from a trace', async () => {
      const { status, text, json } = await ask('GET', `/api/dcim/interfaces/${made.near}/trace/`)
      expect(status, text).toBe(200)
      expect(json.map?.(([near, , far]) => [near?.length, far?.length])).toEqual([[1, 0]])
      expect(text).not.toContain('concealed')
    })

    it('does not reveal its pictures', async () => {
      const upload = async (id: number | undefined) => {
        const form = new FormData()
        form.set('object_type', 'dcim.site')
        form.set('object_id', String(id))
        form.set('image', new Blob([PIXEL], { type: 'image/png' }), 'p.png')
        const { status, text, json } = await api.ask('POST', '/api/extras/image-attachments/', {
          body: form,
        })
        expect(status, text).toBe(201)
        return new URL(String(json.image)).pathname
      }
      const [shown, secret] = [await upload(made.open), await upload(made.secret)]
      expect((await ask('GET', shown)).status).toBe(200)
      expect((await ask('GET', secret)).status).toBe(404)
    })

    it('does not prevent free addresses from being allocated', async () => {
      const path = `/api/ipam/prefixes/${made.prefix}/available-ips/`
      const { status, text, json } = await ask('POST', path, {})
      expect([status, json.address], text).toEqual([201, '10.0.0.1/24'])
    })

    it('is not counted', async () => {
      const count = async (path: string) => (await ask('GET', `/api/dcim/${path}`)).json.count
      expect(await count('sites/')).toBe(1)
      expect(await count('sites/?slug__n=open')).toBe(0)
      expect(await count('devices/?site__n=open')).toBe(0)
      expect(await count('interfaces/?device__n=shown')).toBe(0)
      expect(await count('interfaces/?connected=true')).toBe(1)
    })
  })

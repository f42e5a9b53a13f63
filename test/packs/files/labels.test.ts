import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../../support/api.ts'
import { directoryOfTest } from '../../support/directory.ts'
import { userWith } from './files.ts'

let api: Api
let site: number
let device: number
let cable: number
beforeAll(async () => {
  api = await startApi({ PACKS: 'labels' })
  site = await api.make('dcim/sites', { name: 'Größe {1}', slug: 'site' })
  const manufacturer = await api.make('dcim/manufacturers', { name: 'Maker', slug: 'maker' })
  const role = await api.make('dcim/device-roles', { name: 'Router', slug: 'router' })
  const device_type = await api.make('dcim/device-types', { manufacturer, model: 'M1', slug: 'm1' })
  const devices = []
  for (const name of ['r1', 'r2']) devices.push(await api.make('dcim/devices', { name, site, role, device_type }))
  device = devices[0] ?? 0
  const ports = []
  for (const id of devices)
    ports.push(await api.make('dcim/interfaces', { device: id, name: 'e0', type: '1000base-t' }))
  const [a, b] = ports.map((id) => [{ object_type: 'dcim.interface', object_id: id }])
  cable = await api.make('dcim/cables', { a_terminations: a, b_terminations: b })
})
afterAll(() => api.close())

let names = 0
const template = (body: object = {}) => {
  names += 1
  return api.make('plugins/labels/label-templates', { name: `Label ${names}`, object_type: 'dcim.device', ...body })
}
const render = async (id: number, kind: 'pdf' | 'svg', query: string, token?: string) => {
  const path = `${api.url}/api/plugins/labels/label-templates/${id}/${kind}/?${query}`
  const response = await fetch(path, { headers: { authorization: `Token ${token ?? TOKEN}` } })
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
}
const TOKEN = '0123456789abcdef0123456789abcdef01234567'

/** Debian's poppler-utils and zbar-tools; without them, tests look into the PDF itself. */
const has = (program: string) => spawnSync(program, ['-h']).error === undefined

/** Pages of a PDF, and the size of the first one in millimetres. */
function pagesOf(bytes: Buffer): readonly number[] {
  const text = bytes.toString('latin1')
  const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(text) ?? []
  const found = [
    text.match(/\/Type \/Page\b/g)?.length ?? 0,
    ...[width, height].map((size) => Math.round((Number(size) * 2540) / 72) / 100),
  ]
  if (has('pdfinfo')) {
    const info = execFileSync('pdfinfo', ['-'], { input: bytes, encoding: 'utf8' })
    expect(info).toMatch(new RegExp(`Pages: +${found[0]}\n`))
  }
  return found
}

describe('labels', () => {
  it.each([
    ['roll', { width: 62, height: 29 }, '', [2, 62, 29]],
    ['roll, three copies', { width: '12.7', height: 6, code: 'none' }, 'copies=3', [6, 12.7, 6]],
    ['sheet', { medium: 'sheet', width: 90, height: 50 }, 'copies=6', [2, 210, 297]],
    ['sheet of which places are used', { medium: 'sheet', width: 90, height: 50 }, 'copies=5&skip=1', [2, 210, 297]],
  ])('on a %s have the exact size', async (_what, body, query, expected) => {
    const { status, bytes } = await render(await template(body), 'pdf', query)
    expect([status, ...pagesOf(bytes)]).toEqual([200, ...expected])
  })

  it.each(['qr', 'code128'] as const)('have a code of the kind %s that can be read', async (code) => {
    const id = await template({ code, code_content: code === 'qr' ? '' : '{name}', width: 100, height: 40 })
    const { bytes } = await render(id, 'svg', `id=${device}`)
    if (!has('zbarimg')) return
    const file = join(directoryOfTest(), 'label.png')
    writeFileSync(file, await sharp(bytes, { density: 300 }).png().toBuffer())
    const read = execFileSync('zbarimg', ['-q', '--raw', file], { encoding: 'utf8' }).trim()
    expect(read).toBe(code === 'qr' ? `${api.url}/q/d${device}` : 'r1')
  })

  it.each([
    ['a field that does not exist', { text: '{nam}' }, 'text'],
    ['an open brace', { text: '{name' }, 'text'],
    ['a lone brace', { text: 'a } b' }, 'text'],
    ['a wrong expression', { code_content: '{upper(}' }, 'code_content'],
    ['a type that does not exist', { object_type: 'dcim.constructor' }, 'object_type'],
    ['a name that is no type', { object_type: 'constructor' }, 'object_type'],
    ['a negative width', { width: -1 }, 'width'],
    ['a huge height', { height: 10_000 }, 'height'],
    ['ends of something that is no cable', { text: '{near}' }, 'text'],
  ])('with %s are refused', async (_what, more, field) => {
    const body = { name: 'Wrong', object_type: 'dcim.device', ...more }
    const { status, json } = await api.ask('POST', '/api/plugins/labels/label-templates/', { body })
    expect([status, Object.keys(json)]).toEqual([400, [field]])
  })

  it.each([
    ['copies=-1', 400],
    ['copies=101', 400],
    ['skip=x', 400],
    ['name=nothing', 200],
    ['id=x', 400],
    ['nonsense=1', 200],
  ])('for %s get status %i', async (query, status) => {
    expect((await render(await template(), 'pdf', query)).status).toBe(status)
  })

  it('whose code cannot contain the text are refused', async () => {
    const id = await template({ code: 'code128', code_content: '{name} ☃' })
    expect((await render(id, 'pdf', '')).status).toBe(400)
  })

  it('of a cable name both ends, each from its side', async () => {
    const id = await template({ object_type: 'dcim.cable', text: '{near}\n→ {far}', code: 'none' })
    expect(pagesOf((await render(id, 'pdf', `id=${cable}`)).bytes)[0]).toBe(2)
    expect(pagesOf((await render(id, 'pdf', `id=${cable}&ends=a`)).bytes)[0]).toBe(1)
    const page = await api.ask('GET', `/plugins/labels/print/?type=dcim.cable&template=${id}&id=${cable}`)
    expect(page.text).toMatch(/title="r1 e0 → r2 e0".*title="r2 e0 → r1 e0"/s)
  })

  it('show only what their reader may view', async () => {
    const permissions = [
      { object_types: ['labels.labeltemplate'], actions: ['view'] },
      { object_types: ['dcim.device'], actions: ['view'], constraints: { name: 'r2' } },
    ]
    const token = await userWith(api, 'reader', permissions)
    const id = await template({ text: '{name}\n{upper(site.name)}\n{count(interfaces)}', code: 'none' })
    expect(pagesOf((await render(id, 'pdf', '', token)).bytes)[0]).toBe(1)
    const titles = async (key?: string) => {
      const path = `/plugins/labels/print/?type=dcim.device&template=${id}`
      return [
        ...(await api.ask('GET', path, key === undefined ? {} : { token: key })).text.matchAll(/title="([^"]*)"/g),
      ].map(([, title]) => title)
    }
    expect(await titles()).toEqual(expect.arrayContaining(['r1 GRÖSSE {1} 1', 'r2 GRÖSSE {1} 1']))
    expect((await titles(token)).filter((title) => title?.startsWith('r'))).toEqual(['r2 0'])
    expect((await render(id, 'svg', `id=${device}`, token)).status).toBe(400)
    expect((await render(id, 'pdf', '', await userWith(api, 'stranger', []))).status).toBe(403)
  })

  it('of a thousand objects fit into one file', async () => {
    await api.ask('POST', '/api/ipam/vlan-groups/', { body: { name: 'g', slug: 'g', vid_ranges: [[1, 4094]] } })
    const vlans = Array.from({ length: 1_000 }, (_, n) => ({
      vid: n + 1,
      name: `VLAN ${n}`,
      group: { slug: 'g' },
      ...(n === 0 && { comments: 'long '.repeat(20_000) }),
    }))
    expect((await api.ask('POST', '/api/ipam/vlans/', { body: vlans })).status).toBe(201)
    const text = '{name}\n{vid} · {group.name}'
    // Codes of this kind take the least time.
    const id = await template({ object_type: 'ipam.vlan', text, code: 'code128', code_content: '{vid}' })
    const { bytes } = await render(id, 'pdf', '')
    expect(pagesOf(bytes)[0]).toBe(1_000)
  })

  const long = `${'x'.repeat(400)}\n`
  const large = { width: 500, height: 500, font_size: 3, code: 'none' }
  it.each([
    ['long texts', { ...large, text: long.repeat(4) }, '', 400, ['text']],
    ['many long values', { ...large, text: `{description}${'{comments}'.repeat(190)}` }, 'vid=1', 200, undefined],
    ['copies of long texts', { ...large, text: long.repeat(2) }, 'vid__lte=9&copies=100', 400, ['copies']],
    [
      'much on one page',
      { ...large, width: 9, height: 9, medium: 'sheet', page_width: 2000, page_height: 2000, text: 'x'.repeat(60) },
      '',
      400,
      ['text'],
    ],
  ])('with %s take limited work', async (_what, body, query, expected, fields) => {
    const id = await template({ object_type: 'ipam.vlan', ...body })
    const { status, bytes } = await render(id, 'pdf', query)
    expect(status).toBe(expected)
    if (fields) expect(Object.keys(JSON.parse(bytes.toString()))).toEqual(fields)
    else expect(bytes.length).toBeLessThan(5_000_000)
    const page = await api.ask('GET', `/plugins/labels/print/?type=ipam.vlan&template=${id}&${query}`)
    expect(page.text.length).toBeLessThan(15_000_000)
  })
})

describe('a short address', () => {
  it.each([
    ['d7', '/dcim/devices/7/'],
    ['c12', '/dcim/cables/12/'],
    ['ipam.prefix-3', '/ipam/prefixes/3/'],
  ])('%s opens the page of its object', async (short, path) => {
    const { status, headers } = await api.ask('GET', `/q/${short}/`)
    expect([status, headers.get('location')]).toEqual([302, path])
  })

  it.each(['d0', 'd-1', 'constructor1', 'x7', 'a.b-1', 'd7/8', '__proto__', 'd99999999999999999999'])(
    '%s does not exist',
    async (short) => {
      expect((await api.ask('GET', `/q/${short}/`)).status).toBe(404)
    },
  )
})

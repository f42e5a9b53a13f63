import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { raw, sql } from '../../src/sql/fragment.ts'
import { type Inventory, openInventory, TESTER } from '../support/inventory.ts'
import { stock } from '../support/stock.ts'
import { importing } from './importing.ts'

let inventory: Inventory

const typeCells = (model: string): string =>
  `manufacturer: Maker, model: ${model}, slug: ${model.toLowerCase()}, u_height: 1, is_full_depth: false`
let run: ReturnType<typeof importing>
let device: number
let site: number

beforeAll(async () => {
  inventory = await openInventory()
  run = importing(inventory)
  ;({ device, site } = await stock(inventory))
  await inventory.create('dcim.manufacturer', { name: 'Twin', slug: 'twin' })
  await inventory.create('dcim.devicetype', {
    manufacturer: { slug: 'rival' },
    model: 'Box',
    slug: 'rival-box',
  })
  await inventory.create('virtualization.virtualmachine', { name: 'vm1', site })
  await inventory.create('dcim.region', { name: 'North', slug: 'north' })
  await inventory.create('extras.tag', { name: 'Alpha', slug: 'alpha' })
  await inventory.create('extras.tag', { name: 'Beta', slug: 'beta' })
  await inventory.create('ipam.vlangroup', { name: 'Campus', slug: 'campus' })
  await inventory.create('dcim.interface', { device, name: 'eth0', type: '1000base-t' })
  await inventory.create('extras.customfield', {
    name: 'floors',
    type: 'integer',
    object_types: ['dcim.site'],
  })
  await inventory.create('extras.customfield', { name: 'homepage', type: 'url', object_types: ['dcim.site'] })
})
afterAll(() => inventory.close())

describe('what an import accepts', () => {
  test.each([
    [
      'a site with a region by name and tags',
      'dcim.site',
      'name,slug,status,region,tags\nS1,s1,active,North,"alpha,beta"',
    ],
    ['a bracketed list', 'dcim.site', 'name,slug,status,tags\nS2,s2,active,"[alpha, beta]"'],
    ['a region by slug', 'dcim.site', 'name,slug,status,region.slug\nS3,s3,active,north'],
    ['a choice by its label', 'dcim.site', 'name,slug,status\nS4,s4,Planned'],
    ['a URL without a scheme', 'dcim.site', 'name,slug,status,cf_homepage\nU1,u1,active,example.com:8080/ü?a=b'],
    ['a custom field', 'dcim.site', 'name,slug,status,cf_floors\nS5,s5,active,5'],
    ['YAML', 'dcim.site', '- name: S6\n  slug: s6\n  status: active\n  tags: [alpha]\n'],
    ['JSON', 'dcim.site', '[{"name": "S7", "slug": "s7", "status": "active", "region": {"slug": "north"}}]'],
    [
      'a device type that two manufacturers have',
      'dcim.device',
      'name,role,manufacturer,device_type,site,status\nd1,Role,Rival,Box,Here,active',
    ],
    ['words for truth', 'dcim.interface', 'device,name,type,enabled\none,eth1,1000base-t,no'],
    ['ranges', 'ipam.vlangroup', 'name,slug,vid_ranges\nG1,g1,"1-100,200"'],
    ['ports', 'ipam.service', 'parent_object_type,parent,name,protocol,ports\ndcim.device,one,web,tcp,"80,443"'],
    ['a scope by name', 'ipam.prefix', 'prefix,status,scope_type,scope_name\n192.0.2.0/24,active,dcim.site,Here'],
    [
      'an address of an interface',
      'ipam.ipaddress',
      'address,status,device,interface,is_primary\n192.0.2.1/24,active,one,eth0,true',
    ],
    [
      'a cable',
      'dcim.cable',
      'side_a_device,side_a_type,side_a_name,side_b_device,side_b_type,side_b_name\none,dcim.interface,eth0,one,dcim.interface,eth1',
    ],
    ['a VLAN in a group', 'ipam.vlan', 'group,vid,name,status\nCampus,50,V,active'],
    ['a parent that an earlier row creates', 'dcim.region', 'name,slug,parent\nA,a,\nB,b,A\nC,c,B'],
    ['a front port with its rear port', 'dcim.rearport', 'device,name,type,positions\none,r1,8p8c,2'],
    [
      'a mapped front port',
      'dcim.frontport',
      'device,name,type,positions,rear_port,rear_port_position\none,f1,8p8c,1,r1,2',
    ],
    [
      'a device type with its end of life',
      'dcim.devicetype',
      'manufacturer,model,slug,u_height,cooling_method,end_of_life\nMaker,EoL,eol,1,liquid,2030-01-31',
    ],
    [
      'a module type with its end of life',
      'dcim.moduletype',
      'manufacturer,model,cooling_method,end_of_life\nMaker,Card,air,2030-01-31',
    ],
    [
      'cooling of a rack and of its type',
      'dcim.rack',
      'site,name,status,width,u_height,cooling_capability,cooling_capacity\nHere,R9,active,19,42,hybrid,20.5',
    ],
    [
      'a cooling source at a site with a name',
      'dcim.coolingsource',
      'site,location,name,type,status\nHere,Room,Chiller,chiller,active\nThere,,Chiller,chiller,active',
    ],
    [
      'a cooling feed of the source at that site',
      'dcim.coolingfeed',
      'site,cooling_source,location,rack,name,status\nHere,Chiller,,R1,F1,active\nThere,Chiller,,R2,F1,active',
    ],
    ['an outflow of a device with a name', 'dcim.coolingoutflow', 'device,name\none,out\ntwo,out'],
    [
      'an intake fed by an outflow of another device',
      'dcim.coolingintake',
      'device,name,cooling_outflow_device,cooling_outflow\none,in,two,out',
    ],
    ['a bay type of a manufacturer with a name', 'dcim.modulebaytype', 'manufacturer,name,slug\nMaker,SFP28,sfp28'],
    [
      'the place of empty values of a custom field',
      'extras.customfield',
      'name,type,object_types,filter_logic,search_weight,weight,ui_visible,ui_editable,nulls_first\nlast,text,dcim.site,loose,1000,100,always,yes,false',
    ],
    [
      'the time limit of a webhook',
      'extras.webhook',
      'name,payload_url,http_method,http_content_type,timeout\nW,http://x.example,POST,application/json,9',
    ],
    [
      'an export template from a data source',
      'extras.exporttemplate',
      'name,object_types,template_code,data_source,data_file,auto_sync_enabled\nT,dcim.site,x,,,false',
    ],
  ])('%s', async (_what, model, text) => {
    expect(await run(model, text)).toMatchObject({ isStored: true, problems: [] })
  })
})

describe('keys of YAML and JSON that an import does not know are ignored', () => {
  test.each([
    ['of a device type', 'dcim.devicetype', `{${typeCells('P1')}, is_powered: false}`, ['is_powered']],
    [
      'of components',
      'dcim.devicetype',
      `{${typeCells('P2')}, console-ports: [{name: c0, colour: red}, {name: c1, colour: blue}]}`,
      ['console-ports.colour'],
    ],
    [
      'of an export',
      'dcim.site',
      '[{"url": "x", "display": "S9", "name": "S9", "slug": "s9", "status": "active"}]',
      ['url', 'display'],
    ],
  ])('%s', async (_what, model, text, ignored) => {
    const format = text.startsWith('[') ? 'json' : 'yaml'
    expect(await run(model, text, { format })).toMatchObject({ isStored: true, ignored })
  })
})

describe('what an import refuses, with row and column', () => {
  test.each([
    ['an unknown column', 'dcim.site', 'name,slug,status,nope\nX,x,active,1', [{ column: 'nope' }]],
    ...['1e3', '5.0', '0x10', 'five', '1_000'].map((cell): [string, string, string, readonly object[]] => [
      `${cell} in a custom field of integers`,
      'dcim.site',
      `name,slug,status,cf_floors\nX,x,active,${cell}`,
      [{ row: 1 }],
    ]),
    ...['not a url', 'http://', 'https://a b/', 'javascript:alert(1)'].map(
      (cell): [string, string, string, readonly object[]] => [
        `${cell} in a custom field of URLs`,
        'dcim.site',
        `name,slug,status,cf_homepage\nX,x,active,${cell}`,
        [{ row: 1 }],
      ],
    ),
    ['an unknown attribute', 'dcim.site', 'name,slug,status,region.nope\nX,x,active,1', [{ column: 'region.nope' }]],
    [
      'a missing object',
      'dcim.site',
      'name,slug,status,region.slug\nX,x,active,gone',
      [{ row: 1, column: 'region.slug' }],
    ],
    ['an unknown choice', 'dcim.site', 'name,slug,status\nX,x,active\nY,y,nope', [{ row: 2, column: 'status' }]],
    ['a missing value', 'dcim.site', 'name,slug,status\nX,,active', [{ row: 1, column: 'slug' }]],
    [
      'a primary address of nothing',
      'ipam.ipaddress',
      'address,status,is_primary\n192.0.2.8/24,active,true',
      [{ row: 1, column: 'is_primary' }],
    ],
    [
      'an out-of-band address of nothing',
      'ipam.ipaddress',
      'address,status,is_primary,is_oob\n192.0.2.8/24,active,true,true',
      [
        { row: 1, column: 'is_primary' },
        { row: 1, column: 'is_oob' },
      ],
    ],
    [
      'an out-of-band address of a virtual machine',
      'ipam.ipaddress',
      'address,status,virtual_machine,is_oob\n192.0.2.8/24,active,vm1,true',
      [{ row: 1, column: 'is_oob' }],
    ],
    ['a missing column', 'dcim.site', 'name,slug\nX,x', [{ row: 1, column: 'status' }]],
    [
      'a value twice in the text',
      'dcim.site',
      'name,slug,status\nX,x,active\nX2,x,active',
      [{ row: 2, column: 'slug' }],
    ],
    ['a value that exists', 'dcim.site', 'name,slug,status\nX,here,active', [{ row: 1, column: 'slug' }]],
    [
      'two errors at once',
      'dcim.site',
      'name,slug,status,latitude\nX,x,nope,up\n',
      [
        { row: 1, column: 'status' },
        { row: 1, column: 'latitude' },
      ],
    ],
    [
      'a missing object and a wrong value',
      'dcim.site',
      'name,slug,status,region\nX,x,nope,Gone',
      [
        { row: 1, column: 'region' },
        { row: 1, column: 'status' },
      ],
    ],
    ['an unknown id', 'dcim.site', 'id,description\n999999,x', [{ row: 1, column: 'id' }]],
    ['an object twice', 'dcim.site', 'id,description\n1,x\n1,y', [{ row: 2 }]],
    [
      'a range that ends before it begins',
      'ipam.vlangroup',
      'name,slug,vid_ranges\nG,g,100-1',
      [{ row: 1, column: 'vid_ranges' }],
    ],
    [
      'a word that is neither true nor false',
      'dcim.interface',
      'device,name,type,enabled\none,eth9,1000base-t,maybe',
      [{ row: 1, column: 'enabled' }],
    ],
    [
      'an end of a cable',
      'dcim.cable',
      'side_a_device,side_a_type,side_a_name,side_b_device,side_b_type,side_b_name\none,dcim.interface,gone,one,dcim.interface,eth0',
      [{ row: 1, column: 'side_a_name' }],
    ],
    ['a custom field', 'dcim.site', 'name,slug,status,cf_floors\nX,x,active,many', [{ row: 1 }]],
    [
      'a parent row that is refused',
      'dcim.region',
      'name,slug,parent\nP,,\nQ,q,P',
      [{ row: 1, column: 'slug' }, { row: 2 }],
    ],
  ])('%s', async (_what, model, text, problems) => {
    const result = await run(model, text)
    expect(result.isStored).toBe(false)
    expect(result.problems.map(({ message: _message, ...where }) => where)).toMatchObject(problems)
  })

  test('one refused row prevents the import of all rows', async () => {
    await run('dcim.site', 'name,slug,status\nGood,good,active\nBad,,active')
    const found = await inventory.query(sql`select id from dcim_site where slug = 'good'`)
    expect(found).toEqual([])
  })
})

test('a reservation belongs to the importing user', async () => {
  const id = await inventory.create('users.user', {
    username: 'ann',
    password: 'A-long-password-1',
  })
  const text = 'site,rack,units,status,description\nHere,R1,"1,2",active,for us'
  expect(await run('dcim.rackreservation', text, { actor: { ...TESTER, id } })).toMatchObject({
    problems: [],
  })
  expect(await inventory.query(sql`select user_id from dcim_rackreservation`)).toEqual([{ user_id: id }])
})

describe('changes', () => {
  test('a preview says what would change, and stores nothing', async () => {
    const text = `id,description,region\n${site},new text,North\n`
    const preview = await run('dcim.site', text, { isPreview: true })
    expect(preview.rows).toMatchObject([
      {
        action: 'update',
        display: 'Here',
        changes: [
          { field: 'region', before: '', after: 'North' },
          { field: 'description', before: '', after: 'new text' },
        ],
      },
    ])
    const [stored] = await inventory.query(sql`select description from dcim_site where id = ${site}::bigint`)
    expect(stored).toEqual({ description: '' })
  })

  test('a row with the unique values of an existing object changes the object if the user wants that', async () => {
    const text = 'name,slug,status,description\nHere,here,active,again\nNew,new,active,\n'
    const actions = async () => (await run('dcim.site', text, { matchKeys: true })).rows.map(({ action }) => action)
    expect(await actions()).toEqual(['update', 'create'])
    expect(await actions()).toEqual(['unchanged', 'unchanged'])
  })

  test('an empty cell clears the value of an object', async () => {
    await run('dcim.site', `id,description,region\n${site},,`)
    const [stored] = await inventory.query(sql`
      select description, region_id from dcim_site where id = ${site}::bigint`)
    expect(stored).toEqual({ description: '', region_id: null })
  })

  test('columns can be renamed and omitted', async () => {
    const result = await run('dcim.site', 'Name,key,what\nMapped,mapped,active\n', {
      mapping: { Name: 'name', key: 'slug', what: '' },
    })
    expect(result.problems).toMatchObject([{ row: 1, column: 'status' }])
  })

  test('the address that is marked becomes the primary one', async () => {
    const [row] = await inventory.query(sql`
      select host(a.address) as ip from dcim_device d join ipam_ipaddress a on a.id = d.primary_ip4_id
      where d.id = ${device}::bigint`)
    expect(row).toEqual({ ip: '192.0.2.1' })
  })
})

describe('a name that several manufacturers use means the object of the same one, or else of none', () => {
  beforeAll(async () => {
    for (const [model, names] of Object.entries({
      'dcim.modulebaytype': [
        ['Shared', 'Maker'],
        ['Shared', null],
        ['Shared', 'Twin'],
        ['Generic', null],
        ['Generic', 'Twin'],
        ['Foreign', 'Twin'],
        ['Undecided', 'Twin'],
        ['Undecided', 'Rival'],
      ],
      'dcim.platform': [
        ['Shared', 'Maker'],
        ['Shared', null],
        ['Generic', null],
        ['Generic', 'Twin'],
      ],
    })) {
      for (const [name, maker] of names) {
        const slug = `${name}-${maker}`.toLowerCase()
        await inventory.create(model, { name, slug, manufacturer: maker && { name: maker } })
      }
    }
  })
  const slugsOf = async (table: string, of: string, model: string) => {
    const rows = await inventory.query<{ slug: string }>(sql`
      select b.slug from dcim_modulebaytype b join ${raw(table)} x on x.modulebaytype_id = b.id
      join ${raw(of)} o on o.id = x.${raw(`${of.replace('dcim_', '')}_id`)}
      ${raw(of === 'dcim_moduletype' ? '' : 'join dcim_devicetype t on t.id = o.device_type_id')}
      where ${raw(of === 'dcim_moduletype' ? 'o' : 't')}.model = ${model}::text order by 1`)
    return rows.map(({ slug }) => slug)
  }

  test.each([
    ['one', 'Shared', ['shared-maker']],
    ['one without a manufacturer', 'Generic', ['generic-null']],
    ['several, each on its own', 'Shared, Generic, Foreign', ['foreign-twin', 'generic-null', 'shared-maker']],
  ])('bay types: %s', async (_what, names, slugs) => {
    const bays = `{${typeCells(`Bays${names.length}`)}, module-bays: [{name: A, module_bay_types: [${names}]}]}`
    expect(await run('dcim.devicetype', bays, { format: 'yaml' })).toMatchObject({ isStored: true, problems: [] })
    expect(
      await slugsOf('dcim_modulebaytemplate_module_bay_types', 'dcim_modulebaytemplate', `Bays${names.length}`),
    ).toEqual(slugs)
    const fitting = `{manufacturer: Maker, model: Fits ${names.length}, module_bay_types: [${names}]}`
    expect(await run('dcim.moduletype', fitting, { format: 'yaml' })).toMatchObject({ isStored: true, problems: [] })
    expect(await slugsOf('dcim_moduletype_module_bay_types', 'dcim_moduletype', `Fits ${names.length}`)).toEqual(slugs)
  })

  test.each([
    ['Shared', 'shared-maker'],
    ['Generic', 'generic-null'],
  ])('platform %s of a device', async (platform, slug) => {
    const text = `name,role,manufacturer,device_type,site,status,platform\np ${slug},Role,Maker,Box,Here,active,${platform}`
    expect(await run('dcim.device', text)).toMatchObject({ isStored: true, problems: [] })
    const [row] = await inventory.query(sql`
      select p.slug from dcim_device d join dcim_platform p on p.id = d.platform_id where d.name = ${`p ${slug}`}::text`)
    expect(row).toEqual({ slug })
  })

  test('and remains ambiguous if neither exists', async () => {
    const text = '{manufacturer: Maker, model: No, module_bay_types: [Undecided]}'
    const { problems } = await run('dcim.moduletype', text, { format: 'yaml' })
    expect(problems).toEqual([
      expect.objectContaining({ message: expect.stringContaining('Several module bay types have the name Undecided') }),
    ])
  })
})

describe('a device type of the community library', () => {
  const TYPE = `
manufacturer: Maker
model: Panel
slug: maker-panel
u_height: 1
is_full_depth: false
front_image: true
console-ports:
  - { name: con0, type: rj-45 }
power-ports:
  - { name: psu0, type: iec-60320-c14 }
power-outlets:
  - { name: out0, type: iec-60320-c13, power_port: psu0, feed_leg: A }
interfaces:
  - { name: ge-0/0/0, type: 1000base-t }
  - { name: me0, type: 1000base-t, mgmt_only: true }
rear-ports:
  - { name: back, type: lc, positions: 2 }
front-ports:
  - { name: front1, type: lc, rear_port: back, rear_port_position: 1 }
  - { name: front2, type: lc, rear_port: back, rear_port_position: 2 }
module-bays:
  - { name: slot0, position: '0' }
`
  test('is imported with its components', async () => {
    expect(await run('dcim.devicetype', TYPE)).toMatchObject({ isStored: true, problems: [] })
    const [counts] = await inventory.query(sql`
      select (select count(*)::int from dcim_interfacetemplate) as interfaces,
        (select count(*)::int from dcim_porttemplatemapping) as mappings,
        (select count(*)::int from dcim_poweroutlettemplate where power_port_id is not null) as fed`)
    expect(counts).toEqual({ interfaces: 2, mappings: 2, fed: 1 })
  })

  test.each([
    ['an unknown kind', 'interfaces:\n  - { name: a, type: nope }', 'interfaces', /interfaces\[1\]\.type: .*choice/],
    ['no list', 'interfaces: 3', 'interfaces', /list/],
    [
      'a rear port that is not there',
      'front-ports:\n  - { name: f, type: lc, rear_port: gone }',
      'front-ports',
      /gone/,
    ],
  ])('%s among the components is refused', async (_what, part, column, message) => {
    const head = 'manufacturer: Maker\nmodel: Bad\nslug: bad\nu_height: 1\n'
    const { problems } = await run('dcim.devicetype', head + part)
    expect(problems[0]).toMatchObject({ row: 1, column })
    expect(problems[0]?.message).toMatch(message)
  })
})

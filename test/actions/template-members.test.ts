import { load } from 'js-yaml'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Browser } from '../sessions/browser.ts'
import { type Api, startApi } from '../support/api.ts'
import { untilTemplatesRender } from '../support/templates.ts'

describe('computed members of models in templates', () => {
  let api: Api
  let template: string

  beforeAll(async () => {
    api = await startApi()
    const north = await api.make('dcim/regions', { name: 'North', slug: 'north' })
    const region = await api.make('dcim/regions', { name: 'Fjord', slug: 'fjord', parent: north })
    const tenant = await api.make('tenancy/tenants', { name: 'Acme', slug: 'acme' })
    const site = await api.make('dcim/sites', { name: 'Here', slug: 'here', region, tenant })
    const manufacturer = await api.make('dcim/manufacturers', { name: 'Maker', slug: 'maker' })
    const device_type = await api.make('dcim/device-types', {
      ...{ manufacturer, model: 'Box', slug: 'box', u_height: 2, weight: 1.5, weight_unit: 'kg' },
      subdevice_role: 'parent',
    })
    const blade = await api.make('dcim/device-types', {
      ...{ manufacturer, model: 'Blade', slug: 'blade', u_height: 0, subdevice_role: 'child' },
    })
    const role = await api.make('dcim/device-roles', { name: 'Role', slug: 'role' })
    const rack = await api.make('dcim/racks', { name: 'R1', site, u_height: 10 })
    const chassis = await api.make('dcim/virtual-chassis', { name: 'vc' })
    const device = (name: string, more: object) => api.make('dcim/devices', { name, site, device_type, role, ...more })
    const one = await device('one', {
      ...{ virtual_chassis: chassis, vc_position: 1, rack, position: 3, face: 'front' },
    })
    const two = await device('two', { virtual_chassis: chassis, vc_position: 2, status: 'planned' })
    await api.ask('PATCH', `/api/dcim/virtual-chassis/${chassis}/`, { body: { master: one } })
    const child = await device('inside', { device_type: blade })
    await api.make('dcim/device-bays', { device: one, name: 'b1', installed_device: child })
    const port = (device: number, name: string, type: string, more = {}) =>
      api.make('dcim/interfaces', { device, name, type, ...more })
    const eth0 = await port(one, 'eth0', '1000base-t')
    await port(one, 'po1', 'lag')
    await port(one, 'wlan0', 'ieee802.11ax')
    const eth1 = await port(two, 'eth1', '1000base-t')
    await port(two, 'mgmt', '1000base-t', { mgmt_only: true })
    const end = (object_id: number) => [{ object_type: 'dcim.interface', object_id }]
    await api.make('dcim/cables', {
      a_terminations: end(eth0),
      b_terminations: end(eth1),
      label: 'C1',
    })

    const assigned = { assigned_object_type: 'dcim.interface', assigned_object_id: eth0 }
    const first = await api.make('ipam/ip-addresses', { address: '10.1.0.1/24', ...assigned })
    for (const address of ['10.1.0.2/24', '10.1.0.5/32', '10.1.0.20/24']) {
      await api.make('ipam/ip-addresses', { address })
    }
    await api.ask('PATCH', `/api/dcim/devices/${one}/`, { body: { primary_ip4: first } })
    const range = { start_address: '10.1.0.3/16', end_address: '10.1.0.4/16' }
    await api.make('ipam/ip-ranges', { ...range, mark_populated: true, mark_utilized: true })
    await api.make('ipam/ip-ranges', { start_address: '10.1.0.20/24', end_address: '10.1.0.29/24' })
    for (const prefix of ['10.1.0.0/24', '10.1.0.0/26', '10.1.0.128/25']) {
      await api.make('ipam/prefixes', { prefix })
    }
    await api.make('ipam/prefixes', { prefix: '10.1.0.0/16', status: 'container' })
    await api.make('ipam/prefixes', { prefix: '10.2.0.0/30', is_pool: true })
    const rir = await api.make('ipam/rirs', { name: 'rir', slug: 'rir' })
    await api.make('ipam/aggregates', { prefix: '10.0.0.0/8', rir })
    await api.make('ipam/asns', { asn: 65537, rir })
    await api.make('ipam/asn-ranges', { name: 'as', slug: 'as', rir, start: 65536, end: 65538 })
    const group = await api.make('ipam/vlan-groups', { name: 'g', slug: 'g', vid_ranges: [[1, 3]] })
    await api.make('ipam/vlans', { vid: 1, name: 'v1', group })
    await api.make('ipam/services', {
      ...{ parent_object_type: 'dcim.device', parent_object_id: one, name: 'dns', protocol: 'udp' },
      ports: [53, 54, 55, 80],
    })
    const id = await api.make('extras/config-templates', { name: 't', template_code: 'x' })
    template = `/api/extras/config-templates/${id}/`
    await untilTemplatesRender(() => api.ask('POST', `${template}render/`, { body: {} }))
  })
  afterAll(() => api.close())

  const rendered = async (template_code: string): Promise<unknown> => {
    await api.ask('PATCH', template, { body: { template_code } })
    const { status, json } = await api.ask('POST', `${template}render/`, { body: {} })
    return status === 200 ? json.content : [status, json.detail]
  }
  const of = (model: string, wanted: string) => `{% set x = ${model}.objects.get(${wanted}) %}`
  const prefix = (wanted: string) => of('ipam.Prefix', `prefix='${wanted}'`)
  const device = (name: string) => of('dcim.Device', `name='${name}'`)
  const port = (name: string) => of('dcim.Interface', `name='${name}'`)

  it('write types as files that can be imported', async () => {
    const manufacturer = { name: 'Maker' }
    const head = { model: 'Panel', description: 'no: yes' }
    for (const [kind, more] of [
      ['device', { slug: 'panel', u_height: 1.5, weight: 2.5, weight_unit: 'kg' }],
      ['module', { part_number: '007' }],
    ] as const) {
      const type = { [`${kind}_type`]: await api.make(`dcim/${kind}-types`, { manufacturer, ...head, ...more }) }
      const rear_port = await api.make('dcim/rear-port-templates', { ...type, name: 'back', type: 'lc', positions: 2 })
      await api.make('dcim/front-port-templates', {
        ...{ ...type, name: 'front', type: 'lc' },
        rear_ports: [{ position: 1, rear_port, rear_port_position: 2 }],
      })
      const power_port = await api.make('dcim/power-port-templates', { ...type, name: 'psu', maximum_draw: 50 })
      await api.make('dcim/power-outlet-templates', { ...type, name: 'out', power_port, feed_leg: 'B' })
      const lag = await api.make('dcim/interface-templates', { ...type, name: 'br', type: 'bridge' })
      await api.make('dcim/interface-templates', { ...type, name: 'eth0', type: 'virtual', bridge: lag, label: '0' })
      await api.make('dcim/module-bay-templates', { ...type, name: 'slot' })
      const model = kind === 'device' ? 'DeviceType' : 'ModuleType'
      const text = await rendered(`${of(`dcim.${model}`, `model='Panel'`)}{{ x.to_yaml() }}`)
      const data: unknown = load(String(text))
      expect(data, String(text)).toMatchObject({
        ...{ manufacturer: 'Maker', ...head },
        ...(kind === 'device' ? { ...more, is_full_depth: true } : more),
        'rear-ports': [{ name: 'back', positions: 2 }],
        'front-ports': [{ name: 'front', type: 'lc' }],
        'port-mappings': [{ front_port: 'front', front_port_position: 1, rear_port: 'back', rear_port_position: 2 }],
        'power-ports': [{ name: 'psu', maximum_draw: 50 }],
        'power-outlets': [{ name: 'out', power_port: 'psu', feed_leg: 'B' }],
        interfaces: [{ name: 'br' }, { name: 'eth0', bridge: 'br', label: '0' }],
        'module-bays': [{ name: 'slot' }],
      })
      // The same types under other names.
      const copy = String(text).replace('model: Panel', 'model: Copy').replace('slug: panel', 'slug: copy')
      const browser = new Browser(api.url)
      await browser.logIn('admin', 'admin')
      const path = `/dcim/${kind}-types/import/`
      const [, csrfmiddlewaretoken = ''] =
        /name="csrfmiddlewaretoken" value="([^"]*)"/.exec((await browser.visit(path)).text) ?? []
      const imported = await browser.visit(path, {
        form: { csrfmiddlewaretoken, step: 'import', data: copy, format: 'yaml' },
      })
      expect(imported.status, /<(?:ul|div) class="[^"]*error[^"]*"[\s\S]{0,600}/.exec(imported.text)?.[0]).toBe(303)
      const again = await rendered(`${of(`dcim.${model}`, `model='Copy'`)}{{ x.to_yaml() }}`)
      expect(again).toBe(copy)
    }
    const interfaces =
      "{% for i in dcim.InterfaceTemplate.objects.filter(device_type__model='Panel') %}{{ i.to_yaml().name }};{% endfor %}"
    expect(await rendered(interfaces)).toBe('br;eth0;')
  })

  it.each([
    ['{{ x.get_absolute_url() }}', of('dcim.Site', "slug='here'"), /^\/dcim\/sites\/\d+\/$/],
    ['{{ x.get_status_display() }} {{ x.get_status_color() }}', device('two'), 'Planned cyan'],
    ['{{ x.get_status_color() }}', prefix('10.1.0.0/16'), 'gray'],
    ['{{ x.get_face_display() }}', device('one'), 'Front'],
    // Trees.
    [
      '{{ x.get_ancestors(include_self=True)|join("/") }} {{ x.level }} {{ x.is_leaf_node() }}',
      of('dcim.Region', "slug='fjord'"),
      'North/Fjord 1 True',
    ],
    [
      '{{ x.get_descendants()|join(",") }} {{ x.get_children()|join(",") }} {{ x.get_site_count() }}',
      of('dcim.Region', "slug='north'"),
      'Fjord Fjord 1',
    ],
    // Relations by the names that Django gives them, and those to one object.
    ['{{ x.sites.first() }} {{ x.site_set.count() }}', of('tenancy.Tenant', "slug='acme'"), 'Here 1'],
    ['{{ x.parent_bay.device }} {{ x.parent_bay }}', device('inside'), 'one b1'],
    ['{{ x.parent_bay is defined }} {{ x.vc_master_for }}', device('one'), 'False vc'],
    // Devices.
    ['{{ x.vc_interfaces()|join(",") }} {{ x.interfaces_count }}', device('one'), /eth0.*eth1.* 4$/],
    ['{{ x.vc_interfaces()|join(",") }}', device('two'), 'eth1,mgmt'],
    ['{{ x.get_vc_master() }} {{ x.label }} {{ x.identifier }}', device('two'), 'one two two'],
    ['{{ x.get_children()|join(",") }} {{ x.get_cables()|join(",") }}', device('one'), 'inside C1'],
    ['{{ x.total_weight }} {{ x.device_type.full_name }}', device('one'), '1.5 Maker Box'],
    ['{{ x.device_type.is_parent_device }} {{ x.device_type.is_child_device }}', device('one'), 'True False'],
    // Interfaces and cables.
    ...(
      [
        ['eth0', 'True False False False False'],
        ['po1', 'False True True False False'],
        ['wlan0', 'False False False False True'],
      ] as const
    ).map(
      ([name, expected]) =>
        [
          '{{ x.is_wired }} {{ x.is_virtual }} {{ x.is_lag }} {{ x.is_bridge }} {{ x.is_wireless }}',
          port(name),
          expected,
        ] as const,
    ),
    ['{{ x.parent_object }} {{ x.link }} {{ x.opposite_cable_end }}', port('eth0'), 'one C1 B'],
    ['{{ x.link_peers.0 }} {{ x.connected_endpoints.0.device }}', port('eth0'), 'eth1 two'],
    ['{{ x.a_terminations.0.device }} {{ x.b_terminations.0 }}', of('dcim.Cable', 'pk=1'), 'one eth1'],
    // Racks.
    [
      '{{ x.units|length }} {{ x.get_available_units(u_height=6)|join(",") }} {{ x.get_utilization() }} {{ x.total_weight }}',
      of('dcim.Rack', "name='R1'"),
      '20 5.0 20.0 1.5',
    ],
    [
      '{% for u in x.get_rack_units() if u.device %}{{ u.name }}={{ u.device }} {% endfor %}',
      of('dcim.Rack', "name='R1'"),
      'U4.5=one U4=one U3.5=one U3=one ',
    ],
    // Addresses.
    ['{{ x.get_first_available_ip() }}', prefix('10.1.0.0/24'), '10.1.0.6/24'],
    ['{{ x.get_first_available_prefix() }}', prefix('10.1.0.0/24'), '10.1.0.64/26'],
    ['{{ x.get_child_ips()|join(",") }}', prefix('10.1.0.0/26'), /10\.1\.0\.1\/24.*10\.1\.0\.20\/24/],
    ['{{ x.get_child_ips().count() }}', prefix('10.1.0.0/26'), '4'],
    ['{{ x.get_child_ranges()|length }}', prefix('10.1.0.0/26'), '2'],
    ['{{ x.get_child_prefixes()|join(",") }}', prefix('10.1.0.0/24'), '10.1.0.0/26,10.1.0.128/25'],
    ['{{ x.get_parents()|join(",") }}', prefix('10.1.0.0/26'), '10.1.0.0/16,10.1.0.0/24'],
    ['{{ "%.3f"|format(x.get_utilization()) }}', prefix('10.1.0.0/26'), '9.677'],
    ['{{ "%.4f"|format(x.get_utilization()) }}', prefix('10.1.0.0/16'), '0.3906'],
    ['{{ x.get_available_ip_count() }} {{ x.usable_size }}', prefix('10.1.0.0/26'), '56 62'],
    ['{{ x.usable_ip_bounds|join("-") }} {{ x.usable_size }}', prefix('10.2.0.0/30'), '10.2.0.0-10.2.0.3 4'],
    ['{{ x.get_available_ips().iter_cidrs()|join(",") }}', prefix('10.2.0.0/30'), '10.2.0.0/30'],
    ['{{ x.family }} {{ x.mask_length }} {{ x.depth }} {{ x.aggregate }}', prefix('10.1.0.0/24'), '4 24 1 10.0.0.0/8'],
    ['{{ "%.4f"|format(x.get_utilization()) }}', of('ipam.Aggregate', "prefix='10.0.0.0/8'"), '0.3906'],
    [
      '{{ x.range }} {{ x.first_available_ip }} {{ x.utilization }} {{ x.get_available_ip_count() }} {{ x.mask_length }}',
      of('ipam.IPRange', 'size=10'),
      '10.1.0.20-10.1.0.29 10.1.0.21/24 10.0 9 24',
    ],
    [
      '{{ x.is_primary_ip }} {{ x.is_oob_ip }} {{ x.family }} {{ x.get_next_available_ip() }}',
      of('ipam.IPAddress', "address='10.1.0.1/24'"),
      'True False 4 10.1.0.3',
    ],
    ['{{ x.get_duplicates().count() }}', of('ipam.IPAddress', "address='10.1.0.5/32'"), '0'],
    ['{{ x.asn_asdot }} {{ x.prefixed_name }}', of('ipam.ASN', 'asn=65537'), '1.1 AS65537 (1.1)'],
    [
      '{{ x.range_as_string_with_asdot() }} {{ x.get_available_asns() }}',
      of('ipam.ASNRange', "slug='as'"),
      '65536-65538 (1.0-1.2) [65536, 65538]',
    ],
    ['{{ x.get_available_vids() }} {{ x.vid_ranges_list }}', of('ipam.VLANGroup', "slug='g'"), '[2, 3] 1-3'],
    ['{{ x.port_list }}', of('ipam.Service', "name='dns'"), '53-55, 80'],
  ] as const)('%s', async (expression, object, expected) => {
    const result = await rendered(object + expression)
    if (typeof expected === 'string') expect(result).toBe(expected)
    else expect(result).toMatch(expected)
  })

  it.each([
    ["{{ ipam.IPAddress.objects.filter(address__net_host='10.1.0.5').count() }}", '1'],
    ["{{ ipam.IPAddress.objects.filter(address__net_host_contained='10.1.0.4/31').count() }}", '1'],
    ["{{ ipam.IPAddress.objects.filter(address__net_elsewhere='10.1.0.5').count() }}", 'net_elsewhere'],
    ["{{ ipam.IPAddress.objects.filter(address__net_host='nowhere').count() }}", 'cannot be compared'],
  ])('a filter finds objects or is refused: %s', async (code, expected) => {
    const result = await rendered(code)
    if (/^\d+$/.test(expected)) expect(result).toBe(expected)
    else expect(result).toEqual([400, expect.stringContaining(expected)])
  })
})

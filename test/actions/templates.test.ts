import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'
import { untilTemplatesRender } from '../support/templates.ts'

describe('templates', () => {
  let api: Api
  let device: number
  let template: string

  beforeAll(async () => {
    api = await startApi()
    const region = await api.make('dcim/regions', { name: 'North', slug: 'north' })
    const site = await api.make('dcim/sites', { name: 'Here', slug: 'here', region })
    const manufacturer = await api.make('dcim/manufacturers', { name: 'Maker', slug: 'maker' })
    const type = { manufacturer, model: 'Box', slug: 'box' }
    const device_type = await api.make('dcim/device-types', type)
    const role = await api.make('dcim/device-roles', { name: 'Role', slug: 'role' })
    await api.make('extras/tags', { name: 'Edge', slug: 'edge' })
    await api.make('extras/config-contexts', { name: 'c', data: { ntp: ['10.0.0.1'], a: 1 } })
    const id = await api.make('extras/config-templates', { name: 't', template_code: 'x' })
    template = `/api/extras/config-templates/${id}/`
    device = await api.make('dcim/devices', {
      ...{ name: 'one', site, device_type, role, tags: [{ slug: 'edge' }], config_template: id },
      local_context_data: { a: 2 },
    })
    await api.make('dcim/devices', { site, device_type, role, name: 'two' })
    for (const [name, enabled] of [
      ['eth2', true],
      ['eth10', false],
      ['eth1', true],
    ] as const) {
      await api.make('dcim/interfaces', { device, name, type: '1000base-t', enabled })
    }
    const eth1 = (await api.ask('GET', '/api/dcim/interfaces/?name=eth1')).json.results?.[0]?.id
    await api.make('ipam/ip-addresses', {
      address: '192.0.2.5/24',
      assigned_object_type: 'dcim.interface',
      assigned_object_id: eth1,
    })
    for (const prefix of ['10.25.0.0/22', '2001:db8::/32']) await api.make('ipam/prefixes', { prefix })
    await api.make('dcim/mac-addresses', { mac_address: '0c:00:00:00:00:ab' })
    await untilTemplatesRender(() => api.ask('POST', `${template}render/`, { body: {} }))
  })
  afterAll(() => api.close())

  /** Result of rendering a template for the device. */
  const rendered = async (template_code: string, body: unknown = {}, parameters: unknown = {}): Promise<unknown> => {
    const change = { template_code, environment_params: parameters }
    const changed = await api.ask('PATCH', template, { body: change })
    expect(changed.status, changed.text).toBe(200)
    const answer = await api.ask('POST', `/api/dcim/devices/${device}/render-config/`, { body })
    return answer.status === 200 ? answer.json.content : [answer.status, answer.json.detail]
  }

  describe('of devices', () => {
    it.each([
      ['a related object', '{{ device.site.region }} {{ device.site.slug }}', 'North here'],
      ['an object that there is not', '{{ device.tenant }} {{ device.platform.name }}', 'None '],
      ['a choice', '{{ device.status }} {{ device.get_status_display() }}', 'active Active'],
      ['tags', "{{ device.tags.all()|join(',') }}", 'Edge'],
      [
        'objects in their natural order',
        "{% for i in device.interfaces.all() if i.enabled %}{{ i }}{{ ',' if not loop.last }}{% endfor %}",
        'eth1,eth2',
      ],
      [
        'a query',
        "{{ device.interfaces.filter(name__startswith='eth1').exclude(enabled=True).first().name }}",
        'eth10',
      ],
      ['a count', '{{ device.interfaces.count() }} {{ device.interface_count }}', '3 3'],
      [
        'an address',
        "{% set ip = device.interfaces.get(name='eth1').ip_addresses.first() %}{{ ip.address.ip }} {{ ip.address.netmask }} {{ ip.assigned_object.device.name }}",
        '192.0.2.5 255.255.255.0 one',
      ],
      [
        'any model',
        "{{ dcim.Device.objects.filter(site=device.site).exclude(pk=device.pk).values_list('name', flat=True) }}",
        "['two']",
      ],
      ['its config context', '{{ ntp }} {{ a }} {{ ntp.0 }}', "['10.0.0.1'] 2 10.0.0.1"],
      [
        'a namespace',
        '{% set n = namespace(x=1) %}{% for i in [1, 2] %}{% set n.x = n.x + i %}{% endfor %}{{ n.x }}',
        '4',
      ],
      ['numbers as Python has them', '{{ 7 / 2 }} {{ 4 / 2 }} {{ 7 // 2 }} {{ true }}', '3.5 2.0 3 True'],
    ])('can use %s', async (_name, code, expected) => {
      expect(await rendered(code)).toBe(expected)
    })

    const v4 = "{% set p = ipam.Prefix.objects.get(prefix='10.25.0.0/22').prefix %}"
    const v6 = "{% set p = ipam.Prefix.objects.get(prefix='2001:db8::/32').prefix %}"
    const address = "{% set a = device.interfaces.get(name='eth1').ip_addresses.first().address %}"
    it.each([
      [
        `${v4}{{ p }} {{ p.network }} {{ p.network + 1 }} {{ p.broadcast }}`,
        '10.25.0.0/22 10.25.0.0 10.25.0.1 10.25.3.255',
      ],
      [`${v6}{{ p }} {{ p.network }} {{ p.network + 1 }}`, '2001:db8::/32 2001:db8:: 2001:db8::1'],
      [
        `${address}{{ a }} {{ a.ip }} {{ a.network }} {{ a.cidr }} {{ a.ip.reverse_dns }}`,
        '192.0.2.5/24 192.0.2.5 192.0.2.0 192.0.2.0/24 5.2.0.192.in-addr.arpa.',
      ],
      [`${v6}{{ p.ip.reverse_dns[-25:] }} {{ p.ip.format() }}`, '8.b.d.0.1.0.0.2.ip6.arpa. 2001:db8::'],
      [
        `${v4}{{ p.netmask }} {{ p.hostmask }} {{ p.size }} {{ p.first }} {{ p.prefixlen }}`,
        '255.255.252.0 0.0.3.255 1024 169410560 22',
      ],
      [
        `${v4}{{ p.subnet(24)|join(',') }} {{ p.next() }} {{ p.supernet(21).0 }} {{ p[1] }} {{ p[-1] }}`,
        '10.25.0.0/24,10.25.1.0/24,10.25.2.0/24,10.25.3.0/24 10.25.4.0/22 10.25.0.0/21 10.25.0.1 10.25.3.255',
      ],
      [
        `${v4}{% for ip in p.iter_hosts() %}{{ ip if loop.first }}{% endfor %} {{ '10.25.1.1' in p }}`,
        '10.25.0.1 True',
      ],
      [
        `${address}{{ a.ip.words }} {{ a.ip.bits() }} {{ a.ip.value }} {{ '%x'|format(a.ip|int) }}`,
        '(192, 0, 2, 5) 11000000.00000000.00000010.00000101 3221225989 c0000205',
      ],
      [
        `${address}{{ a.ip.is_unicast() }} {{ a.ip.is_multicast() }} {{ a.ip.info.IPv4[0].status }}`,
        'True False Legacy',
      ],
      [`${v6}{{ p.ip.is_ipv4_compat() }} {{ p.ipv6().network.ipv6() }}`, 'False 2001:db8::'],
      [
        '{% set m = dcim.MACAddress.objects.first().mac_address %}{{ m }} {{ m.words.0 }} {{ m.ei }}',
        '0C:00:00:00:00:AB 12 00-00-AB',
      ],
      [`${v4}{{ p.nothing is defined }} {{ p.nothing|default('-') }}`, 'False -'],
    ])('can use addresses as in the netaddr package: %s', async (code, expected) => {
      expect(await rendered(code)).toBe(expected)
    })

    it.each([
      `${v4}{{ p.nothing }}`,
      `${v4}{{ p.network.nothing }}`,
      `${address}{% if a.ip.nothing %}x{% endif %}`,
      '{{ dcim.MACAddress.objects.first().mac_address.nothing }}',
    ])('refuse members that an address does not have: %s', async (code) => {
      expect(await rendered(code)).toEqual([400, expect.stringContaining("no attribute 'nothing'")])
    })

    it('prefer data of the request to the config context', async () => {
      expect(await rendered('{{ a }} {{ b }} {{ device }}', { a: 3, b: 'x' })).toBe('3 x one')
    })

    it('use the parameters of the environment', async () => {
      const code = '{% if true %}\nX\n{% endif %}\n'
      expect(await rendered(code)).toBe('\nX\n')
      expect(await rendered(code, {}, { trim_blocks: true })).toBe('X\n')
      const marks = { variable_start_string: '<<', variable_end_string: '>>', autoescape: true }
      expect(await rendered("<< '<a>' >>", {}, marks)).toBe('<a>')
      expect(await rendered('{{ nothing }}', {}, { undefined: 'jinja2.StrictUndefined' })).toEqual([
        400,
        expect.stringContaining("'nothing' is undefined"),
      ])
    })

    it.each([
      ['{% if %}', 'TemplateSyntaxError'],
      ['{{ 1 / 0 }}', 'ZeroDivisionError'],
      ['a\nb {{ nobody.name }}', "'nobody' is undefined (line 2)"],
      ['{{ dcim.Site.objects.get(slug="x") }}', 'DoesNotExist'],
      ['{{ dcim.Site.objects.filter(nope=1) }}', "Cannot resolve keyword 'nope'"],
      ['{{ dcim.Site.objects.order_by("nope") }}', 'cannot be ordered by nope'],
      ['{% include "x" %}', 'TemplateNotFound'],
      ['{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}', 'RecursionError'],
      ['{% for i in range(99999) %}{{ "x" * 9999 }}{% endfor %}', 'longer than'],
      ['{{ ("x" * 999999999)|length }}', 'MemoryError'],
    ])('%s is reported to the author of the template', async (code, message) => {
      expect(await rendered(code)).toEqual([400, expect.stringContaining(message)])
      expect(await rendered('{{ device }}')).toBe('one')
    })

    it.each([
      '{{ "".__class__.__mro__ }}',
      '{{ device.__init__.__globals__ }}',
      '{{ cycler.__init__.__globals__.os }}',
      '{{ device._inventory.ask }}',
      '{{ device.interfaces._inventory }}',
      '{{ users.Token.objects.all() }}',
      '{{ users.User.objects.first().password }}',
      '{{ self.__init__.__globals__ }}',
      '{{ lipsum.__globals__["os"] }}',
      '{{ "%s"|attr("__class__") }}',
      '{{ "{0.__class__}".format(1) }}',
    ])('%s does not lead out of the sandbox', async (code) => {
      const result = await rendered(code)
      if (result === '') return
      const refusal = expect.stringMatching(/unsafe|undefined|has no attribute/)
      expect(result).toEqual([400, refusal])
    })
  })

  describe('of NetBox', () => {
    beforeAll(async () => {
      await api.make('extras/custom-fields', { name: 'role', type: 'text', object_types: ['dcim.interface'] })
      const interfaces = (await api.ask('GET', `/api/dcim/interfaces/?device_id=${device}`)).json.results ?? []
      const idOf = (name: string) => Number([...interfaces].find((each) => String(each.name) === name)?.id)
      await api.ask('PATCH', `/api/dcim/interfaces/${idOf('eth2')}/`, { body: { custom_fields: { role: 'uplink' } } })
      const other = (await api.ask('GET', '/api/dcim/devices/?name=two')).json.results?.[0]?.id
      const far = await api.make('dcim/interfaces', { device: other, name: 'far', type: '1000base-t' })
      const end = (id: number) => [{ object_type: 'dcim.interface', object_id: id }]
      await api.make('dcim/cables', { label: 'C1', a_terminations: end(idOf('eth2')), b_terminations: end(far) })
      await api.make('ipam/ip-addresses', {
        ...{ address: '2001:db8::5/64', assigned_object_type: 'dcim.interface', assigned_object_id: idOf('eth2') },
      })
      const { json } = await api.ask('GET', '/api/ipam/prefixes/?family=4')
      const scope = { scope_type: 'dcim.site', scope_id: 1 }
      await api.ask('PATCH', `/api/ipam/prefixes/${json.results?.[0]?.id}/`, { body: scope })
    })

    const one = (name: string) => `{% set i = device.interfaces.get(name='${name}') %}`
    it.each([
      ['{{ device.tags.names()|join(",") }} {{ device.tags.slugs()|join(",") }}', 'Edge edge'],
      [`${one('eth2')}{% for ip in i.ip_addresses.filter(address__family=6) %}{{ ip }}{% endfor %}`, '2001:db8::5/64'],
      [`${one('eth2')}{{ i.ip_addresses.filter(address__family=4).count() }}`, '0'],
      ['{{ ipam.Prefix.objects.filter(prefix__family=6).first() }}', '2001:db8::/32'],
      ['{{ ipam.Prefix.objects.filter(prefix__net_mask_length__lte=22).count() }}', '1'],
      ['{{ ipam.IPAddress.objects.filter(address__net_in=["192.0.2.5"]).first() }}', '192.0.2.5/24'],
      ['{{ dcim.Site.objects.filter(created__year__gt=2000).first() }}', 'Here'],
      ['{{ device.interfaces.filter(custom_field_data__role="uplink").first() }}', 'eth2'],
      ['{{ device.interfaces.exclude(custom_field_data__role="uplink").count() }}', '2'],
      ['{{ ipam.IPAddress.objects.filter(interface__device=device).count() }}', '2'],
      ['{{ ipam.IPAddress.objects.filter(interface__name="eth1").first() }}', '192.0.2.5/24'],
      ['{{ dcim.Site.objects.filter(devices__interfaces__name="far").first() }}', 'Here'],
      ['{{ dcim.Device.objects.filter(site_id=device.site_id, role__slug__in=["role"]).count() }}', '2'],
      ['{{ device.interfaces.earliest("name") }} {{ device.interfaces.latest("name") }}', 'eth1 eth10'],
      ['{{ device.interfaces.earliest("created").name }} {{ device.interfaces.latest("-created").name }}', 'eth2 eth2'],
      ['{{ device.interfaces.in_bulk().values()|map("string")|sort|join(",") }}', 'eth1,eth10,eth2'],
      [`${one('eth1')}{{ device.interfaces.contains(i) }}`, 'True'],
      [`${one('eth2')}{{ i.path.is_complete }} {{ i.path.is_active }} {{ i.path.segment_count }}`, 'True True 1'],
      [`${one('eth2')}{{ i.path.origins[0] }} {{ i.path.destinations[0].device }}`, 'eth2 two'],
      [
        `${one('eth2')}{% for near, links, far in i.trace() %}{{ near[0] }} {{ links[0].label }} {{ far[0] }}{% endfor %}`,
        'eth2 C1 far',
      ],
      [`${one('eth1')}{{ i.path }} {{ i.trace()|length }}`, 'None 0'],
      ['{{ ipam.Prefix.objects.filter(prefix__family=4).first().scope_type.model }}', 'site'],
      ['{{ ipam.IPAddress.objects.first().assigned_object_type.app_label }}', 'dcim'],
      ['{{ ipam.IPAddress.objects.first().assigned_object_type }}', 'dcim.interface'],
      ['{{ extras.CustomField.objects.first().object_types[0].model }}', 'interface'],
    ])('methods and lookups are there: %s', async (code, expected) => {
      expect(await rendered(code)).toBe(expected)
    })

    it.each([
      ['{{ dcim.Region.objects.filter(name="x").earliest("name") }}', 'DoesNotExist'],
      ['{{ device.interfaces.filter(name__family=4) }}', "Unsupported lookup 'family'"],
      ['{{ device.site.trace() }}', 'trace'],
    ])('%s is still refused', async (code, message) => {
      expect(await rendered(code)).toEqual([400, expect.stringContaining(message)])
    })
  })

  it('a path through an object that the user may not view is empty', async () => {
    const user = await api.make('users/users', { username: 'limited', password: 'Corr3ct-Horse-Battery' })
    const all = { actions: ['view', 'render_config', 'render'], users: [user] }
    await api.make('users/permissions', {
      ...all,
      ...{ name: 'things', object_types: ['dcim.device', 'extras.configtemplate', 'dcim.cable'] },
    })
    await api.make('users/permissions', {
      ...all,
      ...{ name: 'ports', object_types: ['dcim.interface'], constraints: { device__name: 'one' } },
    })
    const token = String((await api.ask('POST', '/api/users/tokens/', { body: { user } })).json.key)
    await rendered("{% set i = device.interfaces.get(name='eth2') %}{{ i.path }} {{ i.trace()|length }}")
    const { json, text } = await api.ask('POST', `/api/dcim/devices/${device}/render-config/`, { token, body: {} })
    expect(json.content, text).toBe('None 0')
  })

  it('a rendering is an object, or plain text on request', async () => {
    await rendered('<{{ device }}>')
    const path = `/api/dcim/devices/${device}/render-config/`
    const ask = (accept: string, query = '') => api.ask('POST', path + query, { body: {}, headers: { accept } })
    expect((await ask('application/json')).json).toMatchObject({
      configtemplate: { name: 't' },
      content: '<one>',
    })
    const plain = await ask('text/plain')
    expect(plain.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(plain.text).toBe('<one>')
    expect((await ask('*/*', '?format=txt')).text).toBe('<one>')
    expect((await ask('application/json', '?format=txt')).status).toBe(406)
    expect((await ask('image/png')).status).toBe(406)
    // Before anything is rendered.
    await rendered('{{ 1 / 0 }}')
    expect((await ask('application/json')).status).toBe(400)
    expect((await ask('image/png')).status).toBe(406)
  })

  it('the template is the requested one, or that of the device, its role or its platform', async () => {
    const other = await api.make('extras/config-templates', {
      name: 'o',
      template_code: 'other {{ x }}',
    })
    const ask = (body: unknown) => api.ask('POST', `/api/dcim/devices/${device}/render-config/`, { body })
    expect((await ask({ config_template_id: other, x: 1 })).json.content).toBe('other 1')
    for (const config_template_id of [99999, 'x']) {
      const refused = await ask({ config_template_id })
      expect([refused.status, Object.keys(refused.json)]).toEqual([400, ['error']])
    }
    expect((await ask([1])).status).toBe(400)
    const two = (await api.ask('GET', '/api/dcim/devices/?name=two')).json.results?.[0]
    const path = `/api/dcim/devices/${two?.id}/render-config/`
    expect((await api.ask('POST', path, { body: {} })).json).toEqual({ error: expect.any(String) })
    const role = `/api/dcim/device-roles/${two?.role?.id}/`
    await api.ask('PATCH', role, { body: { config_template: other } })
    expect((await api.ask('POST', path, { body: { x: 'two' } })).json.content).toBe('other two')
    expect((await api.ask('GET', path)).status).toBe(405)
  })

  it('a config template is rendered with the given data, and requires the permission', async () => {
    await rendered('{{ a }}-{{ b|default("none") }}')
    const given = await api.ask('POST', `${template}render/`, { body: { a: [1, 'x'] } })
    expect(given.json.content).toBe("[1, 'x']-none")
    expect((await api.ask('POST', `${template}render/`, { body: [1] })).status).toBe(400)

    const user = await api.make('users/users', { username: 'u', password: 'A-long-password-1' })
    const allow = (actions: string[]) =>
      api.make('users/permissions', {
        name: actions.join(),
        object_types: ['extras.configtemplate'],
        actions,
        users: [user],
      })
    const made = await api.ask('POST', '/api/users/tokens/', { body: { user } })
    const token = String(made.json.key)
    const ask = async () => (await api.ask('POST', `${template}render/`, { body: {}, token })).status
    await allow(['view'])
    expect(await ask()).toBe(403)
    await allow(['render'])
    expect(await ask()).toBe(200)
  })

  it('an export renders all filtered objects with a template', async () => {
    const code = '{% for d in queryset %}{{ d.name }};{{ d.site.name }}\n{% endfor %}'
    await api.make('extras/export-templates', {
      ...{ name: 'csv', object_types: ['dcim.device'], template_code: code, mime_type: 'text/csv' },
      file_extension: 'csv',
    })
    const ask = (query: string) => api.ask('GET', `/api/dcim/devices/?export=csv&${query}`)
    const all = await ask('limit=1')
    expect(all.text).toBe('one;Here\ntwo;Here\n')
    expect(all.headers.get('content-type')).toBe('text/csv')
    expect(all.headers.get('content-disposition')).toBe('attachment; filename="netbox_devices.csv"')
    expect((await ask('name=two')).text).toBe('two;Here\n')
    expect((await ask('ordering=-name')).text).toBe('two;Here\none;Here\n')
    expect((await api.ask('GET', '/api/dcim/devices/?export=nope')).status).toBe(404)
    expect((await api.ask('GET', '/api/dcim/sites/?export=csv')).status).toBe(404)
  })

  it('several concurrent renderings all succeed', async () => {
    await rendered('{{ x }}')
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, x) => api.ask('POST', `${template}render/`, { body: { x } })),
    )
    expect(answers.map(({ json }) => json.content)).toEqual(answers.map((_, x) => String(x)))
  })
})

import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, type ApiAnswer, startApi } from '../support/api.ts'
import { startApiWithOwnModels } from '../support/own-models.ts'

/** Rules that people write by mistake or on purpose, and what happens to rules when something else goes. */

const SITE = 'dcim.site'
const ruleOf = (name: string, expression: string, more: object = {}) => ({
  ...{ name, object_type: SITE, expression, message: `Broken: ${name}`, severity: 'low' },
  ...more,
})
const problemsOf = async (api: Api): Promise<readonly (readonly [name: string, problem: string])[]> =>
  ((await api.ask('GET', '/api/extras/rules/?limit=0')).json.results ?? []).flatMap(({ name, problem }) =>
    String(problem) === '' ? [] : [[String(name), String(problem)] as const],
  )

/** Names that objects of JavaScript have. */
const INHERITED = ['constructor', '__proto__', 'hasOwnProperty', 'toString', 'prototype', 'valueOf']

describe('an expression', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi({ API_VERSION: '4.7' })
    await api.make('dcim/sites', { name: 'Site', slug: 'site' })
  })
  afterAll(() => api.close())

  const create = async (name: string, expression: string, more: object = {}): Promise<ApiAnswer> =>
    await api.ask('POST', '/api/extras/rules/', { body: ruleOf(name, expression, more) })

  it.each(
    INHERITED.flatMap((name) => [
      `${name} = 'x'`,
      `${name}('x')`,
      `region.${name} = 'x'`,
      `cf.${name} = 'x'`,
      `any(${name} where true)`,
      `peer_${name} = 'x'`,
      `this.${name} = 'x'`,
      `${name}.${name} = 'x'`,
    ]),
  )('%s is refused, because there is no such name', async (expression) => {
    const { status, json, text } = await create('Inherited', expression)
    expect([status, Object.keys(json)], text).toEqual([400, ['expression']])
  })

  it.each(INHERITED)('reads a custom field with the name %s, if there may be one', async (name) => {
    const field = await api.ask('POST', '/api/extras/custom-fields/', {
      body: { name, type: 'text', object_types: [SITE] },
    })
    if (field.status === 400) return
    expect(field.status, field.text).toBe(201)
    const body = {
      name: `Site ${name}`,
      slug: `site-${name.toLowerCase()}`,
      custom_fields: JSON.parse(`{"${name}":"x"}`),
    }
    const site = await api.ask('POST', '/api/dcim/sites/', { body })
    expect(site.status, site.text).toBe(201)
    const rule = await create(name, `cf.${name} = null or cf.${name} != 'x'`)
    expect(rule.status, rule.text).toBe(201)
    await api.background.runUntilIdle()
    const { json } = await api.ask('GET', `/api/extras/findings/?rule_id=${rule.json.id}`)
    expect(json.results).toMatchObject([{ object_id: site.json.id, rule: { name } }])
  })

  const repeat = (part: string, count: number, separator: string) =>
    Array.from({ length: count }, () => part).join(separator)
  it.each<[string, string, number]>([
    ['2,000 characters in one text', `name != '${'x'.repeat(1990)}'`, 201],
    ['2,001 characters', `name != '${'x'.repeat(1991)}'`, 400],
    ['too many parts', repeat('true', 200, ' and '), 400],
    ['too many brackets', `${'('.repeat(500)}true${')'.repeat(500)}`, 400],
    ['too many negations', `${'not '.repeat(300)}true`, 400],
    [
      'five nested conditions',
      'any(racks where any(devices where any(interfaces where any(peer_interfaces where any(ip_addresses where id > 0)))))',
      201,
    ],
    ['six nested conditions', `${'any(racks where any(site.racks where '.repeat(3)}true${')'.repeat(6)}`, 400],
    [
      'conditions to and fro',
      'any(racks where any(site.racks where any(this.devices where any(this.racks where all(site.racks where u_height > 0)))))',
      201,
    ],
    ['a list within a list, from a related object', 'not any(racks where all(site.devices where id = this.id))', 201],
    ['a pattern that takes exponential time elsewhere', "matches(name, '^(a+)+$')", 201],
    ['a pattern with a back reference', "matches(name, '^(a*)\\1$')", 400],
    ['a null character', "name != '\u0000'", 400],
    ['half of a character', "name != '\ud800'", 400],
    ['a statement of SQL', "name = ''; drop table x; --'", 400],
    ['quotes of SQL', `name != 'x'' or true --"'`, 201],
    ['numbers without bound', `id < ${'9'.repeat(1000)}`, 201],
    ['a huge product', `${repeat('9999999999999999999999', 40, ' * ')} > 0`, 201],
  ])('with %s is accepted or refused, never an error', async (name, expression, expected) => {
    const { status, text } = await create(name, expression)
    expect(status, text).toBe(expected)
    await api.background.runUntilIdle()
    expect(await problemsOf(api)).toEqual([])
  })

  it('names what causes a finding through related objects only in lists of the object itself', async () => {
    const site = await api.make('dcim/sites', { name: 'Nested', slug: 'nested' })
    const rack = await api.make('dcim/racks', { name: 'Rack', site })
    const { json } = await create('Nested', 'not any(racks where any(site.racks where u_height > 1))')
    await api.background.runUntilIdle()
    const { json: found } = await api.ask('GET', `/api/extras/findings/?rule_id=${json.id}`)
    expect(found.results).toMatchObject([{ object_id: site, causes: [{ object_type: 'dcim.rack', object_id: rack }] }])
  })

  it.each([...INHERITED, "'; drop table x; --", '<script>'])('has a rule named after %s', async (name) => {
    const { status, text } = await create(`Named ${name}`, "facility != ''")
    expect(status, text).toBe(201)
    await api.background.runUntilIdle()
    const page = await api.ask('GET', '/extras/findings/', { headers: { accept: 'text/html' } })
    expect([page.status, page.text.includes('<script>:')]).toEqual([200, false])
  })
})

describe('something that a rule reads', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApiWithOwnModels({ API_VERSION: '4.7' })
    await api.make('dcim/sites', { name: 'Site', slug: 'site' })
  })
  afterAll(() => api.close())

  const idOf = async (list: string): Promise<number> =>
    Number((await api.ask('GET', `/api/${list}`)).json.results?.[0]?.id)
  /** What happened to the finding of the rule, after the change has been refused or made. */
  const outcome = async (rule: number, { status }: ApiAnswer): Promise<string> => {
    // Before the rules are evaluated again, too. The request waits for changes of own models.
    for (const list of ['/api/extras/findings/', '/api/extras/rules/', '/extras/findings/']) {
      const before = await api.ask('GET', list)
      expect(before.status, before.text).toBe(200)
    }
    await api.background.runUntilIdle()
    const { json } = await api.ask('GET', `/api/extras/rules/${rule}/`)
    const findings = (await api.ask('GET', `/api/extras/findings/?rule_id=${rule}`)).json.count
    return `${status}, ${String(json.problem) === '' ? 'no problem' : 'a problem'}, ${findings} findings`
  }
  const make = async (name: string, expression: string, more: object = {}): Promise<number> => {
    const id = await api.make('extras/rules', ruleOf(name, expression, more))
    await api.background.runUntilIdle()
    return id
  }

  it.each<[string, () => Promise<readonly [rule: number, change: ApiAnswer]>, string]>([
    [
      'a custom field, when it is deleted',
      async () => {
        const field = await api.make('extras/custom-fields', { name: 'code', type: 'text', object_types: [SITE] })
        const rule = await make('Code', 'cf.code != null')
        return [rule, await api.ask('DELETE', `/api/extras/custom-fields/${field}/`)]
      },
      '204, a problem, 0 findings',
    ],
    [
      'a custom field, when it leaves the type',
      async () => {
        const field = await api.make('extras/custom-fields', { name: 'label', type: 'text', object_types: [SITE] })
        const rule = await make('Label', 'cf.label != null')
        return [
          rule,
          await api.ask('PATCH', `/api/extras/custom-fields/${field}/`, { body: { object_types: ['dcim.rack'] } }),
        ]
      },
      '200, a problem, 0 findings',
    ],
    [
      'a dynamic group, when it is deleted',
      async () => {
        const group = await api.make('extras/dynamic-groups', {
          name: 'All',
          slug: 'all',
          object_type: SITE,
          parameters: { slug: ['site'] },
        })
        const rule = await make('Grouped', "facility != ''", { group })
        return [rule, await api.ask('DELETE', `/api/extras/dynamic-groups/${group}/`)]
      },
      '409, no problem, 1 findings',
    ],
    [
      'what the filter of a dynamic group names, when it is deleted',
      async () => {
        const field = await api.make('extras/custom-fields', { name: 'zone', type: 'text', object_types: [SITE] })
        await api.ask('PATCH', `/api/dcim/sites/${await idOf('dcim/sites/?slug=site')}/`, {
          body: { custom_fields: { zone: 'a' } },
        })
        const group = await api.make('extras/dynamic-groups', {
          name: 'Zone',
          slug: 'zone',
          object_type: SITE,
          parameters: { cf_zone: ['a'] },
        })
        const rule = await make('Zoned', "facility != ''", { group })
        return [rule, await api.ask('DELETE', `/api/extras/custom-fields/${field}/`)]
      },
      '204, a problem, 0 findings',
    ],
    [
      'a field of an own model, when it is deleted',
      async () => {
        await api.make('plugins/custom-objects/gadgets', { label: 'G' })
        const rule = await make('Notes', "coalesce(notes, '') != ''", { object_type: 'custom_objects.gadget' })
        const fields = 'plugins/custom-objects/custom-object-type-fields'
        return [rule, await api.ask('DELETE', `/api/${fields}/${await idOf(`${fields}/?name=notes`)}/`)]
      },
      '204, a problem, 0 findings',
    ],
    [
      'an own model, when it is deleted',
      async () => {
        const type = await api.make('plugins/custom-objects/custom-object-types', { name: 'widget', slug: 'widgets' })
        await api.make('plugins/custom-objects/custom-object-type-fields', {
          ...{ custom_object_type: type, name: 'label', type: 'text', primary: true },
        })
        await api.ask('GET', '/api/plugins/custom-objects/widgets/')
        await api.make('plugins/custom-objects/widgets', { label: 'W' })
        const rule = await make('Widgets', "label = ''", { object_type: 'custom_objects.widget' })
        return [rule, await api.ask('DELETE', `/api/plugins/custom-objects/custom-object-types/${type}/`)]
      },
      '204, a problem, 0 findings',
    ],
  ])('%s', async (_what, change, expected) => {
    expect(await outcome(...(await change()))).toBe(expected)
  })
})

const SCRIPT = `
from dcim.models import Site
from extras.scripts import Script

class Closed(Script):
    def run(self, data, commit):
        Site.objects.create(name="Good", slug="good", facility="F")
        Site.objects.create(name="Bad", slug="bad")
`

describe('a rule that refuses', () => {
  let api: Api
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'rules-')))
  beforeAll(async () => {
    writeFileSync(join(root, 'closing.py'), SCRIPT)
    api = await startApi({ API_VERSION: '4.7', SCRIPTS_ROOT: root })
    await api.background.runUntilIdle()
  })
  afterAll(async () => {
    await api.close()
    rmSync(root, { recursive: true })
  })

  const message = 'Broken: Facility'
  const countOf = async (slug: string) => (await api.ask('GET', `/api/dcim/sites/?slug=${slug}`)).json.count

  it('applies to bulk creation, imports, scripts and undo, and to nothing that reads', async () => {
    const old = await api.ask('POST', '/api/dcim/sites/', { body: { name: 'Old', slug: 'old' } })
    const deleted = await api.ask('DELETE', `/api/dcim/sites/${old.json.id}/`)
    await api.make('dcim/sites', { name: 'Bare', slug: 'bare' })
    await api.make('extras/rules', ruleOf('Facility', "facility != ''", { severity: 'refuse' }))
    await api.background.runUntilIdle()

    const sites = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        name: `N${index}`,
        slug: `n${index}`,
        facility: index === 7 ? '' : 'F',
      }))
    const bulk = await api.ask('POST', '/api/dcim/sites/', { body: sites(20) })
    expect([bulk.status, bulk.text.split(message).length - 1, await countOf('n1')], bulk.text).toEqual([400, 1, 0])

    const form = new FormData()
    form.set('data', 'name,slug,status,facility\nI1,i1,active,F\nI2,i2,active,\n')
    const imported = await api.ask('POST', '/dcim/sites/import/', { body: form })
    expect([imported.text.includes(message), await countOf('i1')], imported.text.slice(0, 500)).toEqual([true, 0])

    const started = await api.ask('POST', '/api/extras/scripts/closing.Closed/', { body: { data: {}, commit: true } })
    await api.background.runUntilIdle()
    const job = await api.ask('GET', `/api/core/jobs/${started.json.result?.id}/`)
    expect([job.json.status?.value, job.text.includes(message), await countOf('good')], job.text).toEqual([
      'errored',
      true,
      0,
    ])

    const request = deleted.headers.get('x-request-id')
    const undone = await api.ask('POST', `/api/core/requests/${request}/undo/`, { body: {} })
    expect([undone.status, undone.text.includes(message), await countOf('old')], undone.text).toEqual([400, true, 0])

    const query = '{ site_list { name } finding_list { rule { name severity } } }'
    const { json } = await api.ask('POST', '/graphql/', { body: { query } })
    expect(json).toEqual({
      data: {
        site_list: [{ name: 'Bare' }],
        finding_list: [{ rule: { name: 'Facility', severity: 'refuse' } }],
      },
    })
    const renamed = await api.ask(
      'PATCH',
      `/api/dcim/sites/${(await api.ask('GET', '/api/dcim/sites/?slug=bare')).json.results?.[0]?.id}/`,
      { body: { name: 'Bare 2' } },
    )
    expect([renamed.status, renamed.json]).toEqual([400, { __all__: [message] }])
  })

  it('refuses nothing once a custom field that it reads has been removed', async () => {
    const field = await api.make('extras/custom-fields', { name: 'code', type: 'text', object_types: ['dcim.region'] })
    await api.make(
      'extras/rules',
      ruleOf('Coded', 'cf.code != null', { object_type: 'dcim.region', severity: 'refuse' }),
    )
    const create = async () =>
      (await api.ask('POST', '/api/dcim/regions/', { body: { name: 'Region', slug: 'region' } })).status
    const before = await create()
    await api.ask('DELETE', `/api/extras/custom-fields/${field}/`)
    expect([before, await create()]).toEqual([400, 201])
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadDemo } from '../../src/transfer/demo/load-demo.ts'
import { type Api, type Document, startApi } from '../support/api.ts'
import { type Called, toolsOf } from './client.ts'

type Arguments = Readonly<Record<string, unknown>>
/** A call, whose arguments may depend on the results of the calls before. */
type Step = readonly [tool: string, args: Arguments | ((...results: readonly Document[]) => Arguments)]

const MOST_CALLS = 6
const MOST_BYTES = 20_500

const id = (document: Document | undefined): number => Number(document?.results?.[0]?.id)
const read = (type: string, filters: Arguments, more: Arguments = {}): Step => ['read', { type, filters, ...more }]
const device = (name: string): Step => read('dcim.device', { name }, { fields: ['id', 'name'] })

/** What people ask about the sample network: the calls that answer it, and a part of the last result. */
const QUESTIONS: readonly [question: string, steps: readonly Step[], answer: object][] = [
  ['How many devices are there?', [read('dcim.device', {}, { count: true })], { count: 38 }],
  ['Which sites do we have?', [read('dcim.site', {})], { count: 5 }],
  [
    'Which devices are at Gull Rock?',
    [
      ['search', { text: 'gull rock', types: ['dcim.site'] }],
      ['read', { type: 'dcim.device', filters: { site: 'gull-rock' }, order: 'name' }],
    ],
    { results: [{ name: 'gr-router' }, { name: 'gr-switch' }] },
  ],
  [
    'What is the management address of gr-switch?',
    [read('dcim.device', { name: 'gr-switch' }, { fields: ['primary_ip4'] })],
    { results: [{ primary_ip4: { address: '10.20.2.130/26' } }] },
  ],
  [
    'Which device has the address 10.20.2.129?',
    [read('ipam.ipaddress', { address: '10.20.2.129' }, { fields: ['assigned_object'] })],
    { results: [{ assigned_object: { name: 'mgmt0', device: { name: 'gr-router' } } }] },
  ],
  [
    'What is connected to gr-router?',
    [device('gr-router'), ['neighbours', (result) => ({ device: id(result) })]],
    { ports: [{ results: [{ name: 'lan0', connected_endpoints: [{ device: { name: 'gr-switch' } }] }] }] },
  ],
  [
    'Where does lan0 of gr-router end?',
    [
      read('dcim.interface', { device: 'gr-router', name: 'lan0' }),
      ['trace', (result) => ({ type: 'dcim.interface', id: id(result) })],
    ],
    { segments: [[[{ name: 'lan0' }], {}, [{ name: 'ge-0/1', device: { name: 'gr-switch' } }]]] },
  ],
  [
    'Which prefix does VLAN 20 at Gull Rock use?',
    [read('ipam.prefix', { vlan_vid: 20, within: '10.20.2.0/24' }, { fields: ['prefix'] })],
    { results: [{ prefix: '10.20.2.64/26' }] },
  ],
  [
    'What is the next free address for the office at Gull Rock?',
    [
      read('ipam.prefix', { prefix: '10.20.2.0/26' }),
      ['free_space', (result) => ({ what: 'addresses in prefix', id: id(result), limit: 1 })],
    ],
    { free: [{ address: '10.20.2.1/26' }], is_complete: false },
  ],
  [
    'Which /24 is free in 10.20.0.0/16?',
    [
      read('ipam.prefix', { prefix: '10.20.0.0/16' }),
      ['free_space', (result) => ({ what: 'prefixes in prefix', id: id(result), limit: 1 })],
    ],
    { free: [{ prefix: '10.20.0.0/24' }], is_complete: false },
  ],
  [
    'Which VID is free for a station?',
    [
      read('ipam.vlangroup', { slug: 'stations' }),
      ['free_space', (result) => ({ what: 'VIDs in VLAN group', id: id(result), limit: 1 })],
    ],
    { free: [{ vid: 1 }] },
  ],
  [
    'Which unit of HH-1 is free at the top?',
    [read('dcim.rack', { name: 'HH-1' }), ['free_space', (result) => ({ what: 'units in rack', id: id(result) })]],
    { free_units: { front: expect.arrayContaining([10]) } },
  ],
  [
    'Which rack is the fullest?',
    [read('dcim.rack', {}, { order: '-device_count', limit: 1 })],
    { results: [{ name: 'MH-1' }] },
  ],
  [
    'Which VLANs are there?',
    [read('ipam.vlan', {}, { fields: ['vid', 'name'], order: 'vid' })],
    { results: [{ vid: 10 }, { vid: 20 }, { vid: 99 }] },
  ],
  ['Who rents space?', [['search', { text: 'rents space' }]], { results: [{ object: { name: 'Coastal Weather' } }] }],
  [
    'Which statuses may a device have?',
    [['describe', { type: 'dcim.device', field: 'status' }]],
    { field: { status: { choices: expect.arrayContaining(['decommissioning']) } } },
  ],
  [
    'Who changed the description of gr-switch, and what was it before?',
    [
      device('gr-switch'),
      ['history', (result) => ({ type: 'dcim.device', id: id(result), field: 'description', limit: 1 })],
    ],
    { results: [{ user_name: 'admin', changes: { description: { before: '', after: 'Fan is loud' } } }] },
  ],
  [
    'What has admin changed this year?',
    [['history', { user: 'admin', after: '2026-01-01' }]],
    { results: [{ object_repr: 'gr-switch' }] },
  ],
  [
    'Which circuits does Island Telecom provide?',
    [read('circuits.circuit', { provider: 'island-telecom' }, { count: true })],
    { count: expect.any(Number) },
  ],
]

const write = (method: string, path: string, body?: object) => ({ method, path, body })

/** What people ask for: the plan, and its effects. */
const PLANS: readonly [
  request: string,
  steps: readonly Step[],
  plan: (...results: readonly Document[]) => Arguments,
  effects: object,
][] = [
  [
    'Take gr-switch out of service.',
    [device('gr-switch')],
    (result) => ({ writes: [write('PATCH', `dcim/devices/${id(result)}/`, { status: 'decommissioning' })] }),
    {
      counts: { changed: 1 },
      changes: [{ object: 'gr-switch', changes: { status: { before: 'active', after: 'decommissioning' } } }],
    },
  ],
  [
    'Reserve an address for a camera.',
    [],
    () => ({ writes: [write('POST', 'ipam/ip-addresses/', { address: '10.20.2.1/26', status: 'reserved' })] }),
    { counts: { created: 1 }, changes: [{ object: '10.20.2.1/26' }] },
  ],
  [
    'Add a station with a rack.',
    [],
    () => ({
      document: {
        objects: {
          'dcim.rack': [{ name: 'NP-1', site: { slug: 'north-pier' } }],
          'dcim.site': [{ name: 'North Pier', slug: 'north-pier' }],
        },
      },
    }),
    { counts: { created: 2 } },
  ],
  [
    'Delete the virtual machine tide-tables.',
    [read('virtualization.virtualmachine', { name: 'tide-tables' })],
    (result) => ({ writes: [write('DELETE', `virtualization/virtual-machines/${id(result)}/`)] }),
    { counts: { deleted: 2 } },
  ],
  [
    'Plan VLAN 30 for cameras.',
    [],
    () => ({ writes: [write('POST', 'ipam/vlans/', { vid: 30, name: 'cameras', group: { slug: 'stations' } })] }),
    { counts: { created: 1 } },
  ],
]

describe('an assistant that may only use the tools', () => {
  let api: Api
  let call: (name: string, args?: Arguments) => Promise<Called>
  beforeAll(async () => {
    api = await startApi({ MCP_ENABLED: 'true', MCP_CALLS_PER_MINUTE: '0' })
    await loadDemo(api.service)
    await api.background.runUntilIdle()
    const switches = (await api.ask('GET', '/api/dcim/devices/?name=gr-switch')).json
    await api.ask('PATCH', `/api/dcim/devices/${id(switches)}/`, { body: { description: 'Fan is loud' } })
    call = toolsOf(api)
  })
  afterAll(() => api.close())

  /** The documents of the calls, in their order. */
  const follow = async (steps: readonly Step[]): Promise<readonly Document[]> => {
    const documents: Document[] = []
    for (const [tool, args] of steps) {
      const { document, isError, text } = await call(tool, typeof args === 'function' ? args(...documents) : args)
      expect(isError, text).toBe(false)
      expect(text.length).toBeLessThan(MOST_BYTES)
      documents.push(document)
    }
    return documents
  }

  it.each(QUESTIONS)('answers: %s', async (_question, steps, answer) => {
    expect(steps.length).toBeLessThanOrEqual(MOST_CALLS)
    const last = (await follow(steps)).at(-1)
    // Of a long list, an answer names only the first results.
    const length = 'results' in answer && Array.isArray(answer.results) ? answer.results.length : undefined
    expect({ ...last, ...(last?.results && { results: last.results.slice(0, length) }) }).toMatchObject(answer)
  })

  it.each(PLANS)('plans: %s', async (request, steps, plan, effects) => {
    const documents = await follow(steps)
    const { document, isError, text } = await call('plan', { title: request, ...plan(...documents), try: true })
    expect(isError, text).toBe(false)
    expect(document).toMatchObject({ tried: true, conflicts: [], refused_by_rules: [], ...effects })
  })
})

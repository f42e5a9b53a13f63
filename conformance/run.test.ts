import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Difference } from './difference.ts'
import { isObject, type Json } from './json.ts'
import { parseKnownDifferences } from './known-differences.ts'
import { parseOptions } from './options.ts'
import { run } from './run.ts'
import { type FakeAnswer, type Flaw, startFakeServer } from './testing/fake-server.ts'
import { writeReference } from './testing/reference.ts'

/** The cases in the test's recordings. */
const FILTERS = 5
const BODIES = 2
const STEPS = 4
const CASES = FILTERS + BODIES + STEPS

let directory: string
beforeAll(() => {
  directory = writeReference()
})
afterAll(() => rmSync(directory, { recursive: true }))

interface RunResult {
  readonly code: number
  readonly lines: readonly string[]
  readonly report: {
    readonly failures: readonly { id: string; differences: readonly Difference[] }[]
    readonly known: readonly { id: string; knownAs: readonly string[] }[]
    readonly stale: readonly string[]
    readonly otherFieldOrder: readonly string[]
  }
}

/** Runs the command against a fake server with one flaw. */
async function replay(flaw: Flaw | undefined, args: readonly string[] = []): Promise<RunResult> {
  const server = await startFakeServer(flaw)
  const report = join(directory, 'report.json')
  const none = join(directory, 'none.md')
  writeFileSync(none, '')
  try {
    const urls = ['--reads-url', server.url, '--scenarios-url', server.url]
    const options = parseOptions([
      directory,
      ...urls,
      '--report',
      report,
      ...(args.includes('--differences') ? [] : ['--differences', none]),
      ...args,
    ])
    if (options === 'help') throw new Error('the test asks for a run')
    const lines: string[] = []
    const output = { line: (text: string) => lines.push(text), progress: () => undefined }
    const code = await run(options, output)
    return { code, lines, report: JSON.parse(readFileSync(report, 'utf8')) }
  } finally {
    await server.close()
  }
}

const change =
  (path: string | RegExp, spoil: (answer: FakeAnswer) => void, method = 'GET'): Flaw =>
  (request, answer) => {
    const isMeant = typeof path === 'string' ? request.path === path : path.test(request.path)
    if (isMeant && request.method === method) spoil(answer)
  }

const edit = (answer: FakeAnswer, fields: Record<string, Json | undefined>): void => {
  const body = { ...(isObject(answer.body) ? answer.body : {}) }
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) delete body[name]
    else body[name] = value
  }
  answer.body = body
}

describe('a server that answers as recorded', () => {
  it('passes every case, and all pages are read', async () => {
    const { code, lines, report } = await replay(undefined)
    expect(report.failures).toEqual([])
    expect(lines.at(-1)).toBe(`${CASES} passed, 0 failed, 0 skipped`)
    expect(code).toBe(0)
  })

  it('may add members of Vary that the recorded server did not have', async () => {
    const compressing: Flaw = (_request, { headers }) => {
      headers.Vary = `${headers.Vary}, Accept-Encoding, Authorization, X-NetBox-Branch`
    }
    expect((await replay(compressing)).report.failures).toEqual([])
  })

  it('has the original data set again after the run', async () => {
    const { code, lines } = await replay(undefined, ['--dataset'])
    expect(lines.at(-1)).toBe('4 passed, 0 failed, 0 skipped')
    expect(code).toBe(0)
  })
})

// flaw of the server → the one case that must fail, and the cause
const flaws: readonly {
  readonly name: string
  readonly flaw: Flaw
  readonly id: string
  readonly cause: string
  readonly args?: readonly string[]
}[] = [
  {
    name: 'a filter that ignores its value',
    flaw: change(/name__ic/, (answer) => edit(answer, { results: [{ id: 1 }], next: null })),
    id: '/api/dcim/sites/?name__ic=BETA',
    cause: 'ids differ',
  },
  {
    name: 'an ordering that is ignored',
    flaw: change(/ordering=-id/, (answer) => edit(answer, { results: [{ id: 1 }, { id: 2 }, { id: 3 }], next: null })),
    id: '/api/dcim/sites/?ordering=-id',
    cause: 'order differs',
  },
  {
    name: 'a wrong count over the right rows',
    flaw: change(/name__ic/, (answer) => edit(answer, { count: 9 })),
    id: '/api/dcim/sites/?name__ic=BETA',
    cause: 'count differs',
  },
  {
    name: 'a second page that never comes',
    flaw: change('/api/dcim/sites/?limit=1000', (answer) => edit(answer, { next: null })),
    id: '/api/dcim/sites/',
    cause: 'ids differ',
  },
  {
    name: 'a refusal under another key',
    flaw: change(/id=x/, (answer) => {
      answer.body = { detail: 'Enter a whole number.' }
    }),
    id: '/api/dcim/sites/?id=x',
    cause: 'error keys {detail} instead of {id}',
  },
  {
    name: 'an invalid value that is let through',
    flaw: change(/id=x/, (answer) => {
      answer.status = 200
      answer.body = { count: 0, next: null, previous: null, results: [] }
    }),
    id: '/api/dcim/sites/?id=x',
    cause: 'status 200 instead of 400',
  },
  {
    name: 'an internal error where the reference has one too',
    flaw: change(/ordering=asns/, (answer) => {
      answer.status = 500
    }),
    id: '/api/dcim/sites/?ordering=asns',
    cause: 'status 500 where any 2xx or 4xx would do',
  },
  {
    name: 'a field with another value',
    flaw: change('/api/dcim/sites/1/', (answer) => edit(answer, { name: 'alpha' })),
    id: 'GET /api/dcim/sites/1/',
    cause: 'field name differs',
  },
  {
    name: 'a number in place of true',
    flaw: change('/api/dcim/sites/1/', (answer) => edit(answer, { custom_fields: { other: true } })),
    id: 'GET /api/dcim/sites/1/',
    cause: 'field custom_fields.other differs',
  },
  {
    name: 'a field too many',
    flaw: change('/api/dcim/sites/1/', (answer) => edit(answer, { colour: 'red' })),
    id: 'GET /api/dcim/sites/1/',
    cause: 'field colour should not be there',
  },
  {
    name: 'a header that is not the recorded one',
    flaw: change('/api/dcim/sites/1/', (answer) => {
      answer.headers.Vary = 'Cookie'
    }),
    id: 'GET /api/dcim/sites/1/',
    cause: 'header Vary differs',
  },
  {
    name: 'a missing field in a step',
    flaw: change('/api/dcim/sites/', (answer) => edit(answer, { created: undefined }), 'POST'),
    id: 'dcim.sites.crud step 0',
    cause: 'field created is missing',
    args: ['--match', 'dcim.sites'],
  },
  {
    name: 'a step that is refused for another reason, by its own words',
    flaw: change(
      '/api/dcim/sites/',
      (answer) => {
        if (answer.status === 400) answer.body = { slug: ['This field is required.'] }
      },
      'POST',
    ),
    id: 'dcim.sites.crud step 1',
    cause: 'error keys {slug} instead of {name}',
    args: ['--only', 'scenarios'],
  },
  {
    name: 'a changed object of the data set',
    flaw: change(/limit=1000&offset=2/, (answer) =>
      edit(answer, {
        results: [
          {
            id: 3,
            url: 'http://elsewhere/api/dcim/sites/3/',
            name: 'Beta two',
            created: '2026-01-01T00:00:00.000001Z',
            custom_fields: { other: 1 },
          },
        ],
      }),
    ),
    id: 'dcim/sites 3',
    cause: 'field url differs',
    args: ['--dataset'],
  },
]

describe('a wrong answer', () => {
  it.each(flaws)('$name is reported as failed', async ({ flaw, id, cause, args = [] }) => {
    const { code, report, lines } = await replay(flaw, args)
    const failed = report.failures.find((failure) => failure.id === id)
    expect(failed?.differences.map((difference) => difference.cause)).toContain(cause)
    expect(lines.at(-1)).toMatch(/^\d+ passed, [1-9]\d* failed, 0 skipped$/)
    expect(code).toBe(1)
  })

  it('fails the later steps that need its values, too', async () => {
    const refuse = change('/api/dcim/sites/', (answer) => edit(answer, { id: undefined }), 'POST')
    const { report } = await replay(refuse, ['--only', 'scenarios'])
    expect(report.failures.map(({ id }) => id)).toEqual([
      'dcim.sites.crud step 0',
      'dcim.sites.crud step 2',
      'dcim.sites.crud step 3',
    ])
    expect(report.failures[1]?.differences).toEqual([{ cause: 'not sent: an earlier step gave no id', actual: 'site' }])
  })

  it('in the order of its fields is counted separately and does not fail', async () => {
    const turned = change('/api/dcim/sites/1/', (answer) => {
      if (isObject(answer.body)) {
        answer.body = Object.fromEntries(Object.entries(answer.body).reverse())
      }
    })
    const { report, code } = await replay(turned)
    expect(report.otherFieldOrder).toEqual(['GET /api/dcim/sites/1/'])
    expect(code).toBe(0)
  })
})

it('an unreachable server fails every case', async () => {
  const server = await startFakeServer()
  await server.close()
  const options = parseOptions([directory, '--reads-url', server.url, '--scenarios-url', server.url])
  if (options === 'help') throw new Error('the test asks for a run')
  const lines: string[] = []
  const output = { line: (text: string) => lines.push(text), progress: () => undefined }
  expect(await run(options, output)).toBe(1)
  expect(lines.at(-1)).toBe(`0 passed, ${CASES} failed, 0 skipped`)
})

describe('known differences', () => {
  const rename = change('/api/dcim/sites/1/', (answer) => edit(answer, { name: 'alpha' }))
  const table = (...rows: readonly string[]): string[] => {
    const path = join(directory, 'known.md')
    const head = '| id | where | difference | reason |\n|---|---|---|---|\n'
    writeFileSync(path, head + rows.join('\n'))
    return ['--differences', path]
  }

  it('are counted as skipped, neither passed nor failed', async () => {
    const args = table('| lower | `/api/dcim/sites/1/` | `field name differs` | Because. |')
    const { code, lines, report } = await replay(rename, args)
    expect(report.known.map(({ id, knownAs }) => [id, knownAs])).toEqual([['GET /api/dcim/sites/1/', ['lower']]])
    expect(lines.at(-1)).toBe(`${CASES - 1} passed, 0 failed, 1 skipped`)
    expect(code).toBe(0)
  })

  it('do not hide another difference of the same case', async () => {
    const args = table('| vary | `/api/dcim/sites/1/` | `header Vary differs` | Because. |')
    const { lines } = await replay(rename, args)
    expect(lines.at(-1)).toBe(`${CASES - 1} passed, 1 failed, 0 skipped`)
  })

  it('are reported once no case needs them any more', async () => {
    const args = table('| lower | `/api/dcim/sites/1/` | `field name differs` | Because. |')
    const { report, lines } = await replay(undefined, args)
    expect(report.stale).toEqual(['lower'])
    expect(lines.join('\n')).toContain('nothing needs any more: lower')
  })

  it('count as needed while their cases fail for any reason', async () => {
    const args = table('| vary | `/api/dcim/sites/1/` | `header Vary differs` | Because. |')
    expect((await replay(rename, args)).report.stale).toEqual([])
  })

  it('do not count as passed when a minimum is required', async () => {
    const args = table('| lower | `/api/dcim/sites/1/` | `field name differs` | Because. |')
    expect((await replay(rename, [...args, '--minimum', 'bodies=0.5'])).code).toBe(0)
    expect((await replay(rename, [...args, '--minimum', 'bodies=0.51'])).code).toBe(1)
  })
})

describe('a selection of cases', () => {
  const choices = [
    { args: ['--only', 'bodies'], passed: BODIES },
    { args: ['--only', 'filters,scenarios'], passed: FILTERS + STEPS },
    { args: ['--resource', 'dcim/sites'], passed: CASES },
    { args: ['--resource', 'dcim/racks'], passed: 0 },
    { args: ['--resources', 'issue3'], passed: CASES },
    { args: ['--resources', 'ipam/vrfs,dcim/racks'], passed: 0 },
    { args: ['--match', 'name__ic'], passed: 1 },
    { args: ['--match', 'sites.crud'], passed: STEPS },
  ]
  it.each(choices)('$args runs $passed', async ({ args, passed }) => {
    const { lines } = await replay(undefined, args)
    expect(lines.at(-1)).toBe(`${passed} passed, 0 failed, 0 skipped`)
  })

  it('without cases of a part misses its minimum', async () => {
    const args = ['--resource', 'dcim/racks', '--minimum', 'filters=0.97']
    const { code, lines } = await replay(undefined, args)
    expect(lines.join('\n')).toContain('below the minimum: filters 0.00 % < 97.00 %')
    expect(code).toBe(1)
  })
})

it('the page of known differences is valid, and no row explains everything', () => {
  const page = readFileSync(join(import.meta.dirname, 'differences.md'), 'utf8')
  expect(parseKnownDifferences(page).map(({ id }) => id)).toContain('redirect-302')
})

it('fields in --without are excluded, in their resource only', async () => {
  const rename = change(/limit=1000&offset=0/, (answer) => {
    if (isObject(answer.body)) {
      const body = JSON.stringify(answer.body).replaceAll('"name":"Alpha"', '"name":"?"')
      answer.body = JSON.parse(body)
    }
  })
  const dataset = (...without: string[]) => replay(rename, ['--dataset', ...without])
  expect((await dataset()).code).toBe(1)
  expect((await dataset('--without', 'dcim/sites:created,name')).code).toBe(0)
  expect((await dataset('--without', 'name')).code).toBe(0)
  expect((await dataset('--without', 'dcim/racks:name')).code).toBe(1)
})

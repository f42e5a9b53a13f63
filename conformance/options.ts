import { parseArgs } from 'node:util'
import { type LeftOut, parseLeftOut } from './dataset-check.ts'
import { PARTS, type Part } from './outcome.ts'
import { resourceList } from './resources.ts'

/** Options of a run. */
export interface Options {
  readonly directory: string
  /** Directory that `directory` adds to: its data set comes first. */
  readonly over: string | undefined
  /** API version of the servers that are started. */
  readonly apiVersion: string
  readonly parts: readonly Part[]
  readonly resources: ReadonlySet<string> | undefined
  readonly resource: readonly string[]
  readonly match: string | undefined
  readonly withoutFields: LeftOut
  readonly readsUrl: string | undefined
  readonly scenariosUrl: string | undefined
  readonly databaseUrl: string | undefined
  readonly token: string
  readonly salt: string | undefined
  readonly connections: number
  readonly differences: string | undefined
  readonly limitFailures: number
  readonly report: string | undefined
  readonly summary: boolean
  readonly keep: boolean
  readonly minimum: ReadonlyMap<Part, number>
}

export const USAGE = `npm run conformance -- [directory] [options]

Replays what a NetBox answered and compares. The directory (../shared/reference by default) holds dataset/,
oracle/ and openapi.json.gz. Servers are started on fresh databases, and thrown away, unless an address is given.

  --only filters,bodies,scenarios   the parts to run (default: these three; also webhooks, dataset,
                                    openapi, data-sources, scripts, graphql, imports,
                                    search)
  --dataset                         only: import, then compare every object with the data set's line
  --webhooks                        only: what a receiver of webhooks gets after each recorded request
  --openapi                         only: what our OpenAPI document lacks of openapi.json.gz, by kind; no server
  --graphql                         only: the recorded GraphQL queries, by kind
  --scripts                         only: upload, list and run the recorded scripts, which are TypeScript here
  --imports                         only: the recorded imports of CSV and YAML: accepted or refused alike
  --search                          only: the recorded searches of the whole inventory
  --data-sources                    only: synchronise the recorded data sources, whose files are made here
  --without field,res:field,field   fields that --dataset leaves out, of all resources or of one; repeatable
  --resources issue3 | a/b,c/d      only these resources, and scenarios that touch no others
  --resource dcim/sites             only this resource, and scenarios that touch it; repeatable
  --match text                      only cases whose path, or scenario id, holds the text
  --database-url postgres://…       use PostgreSQL, in databases made there and dropped afterwards
  --reads-url URL                   a running server on the imported data set
  --scenarios-url URL               a running server on an empty database
  --over directory                  the directory is an overlay: its rows are added to the data set of this one
  --api-version 4.6                 the API version that the recordings have (default: 4.6, over another one 4.7)
  --token KEY                       the superuser's token (default: the recorded one)
  --salt text                       makes the names that scenarios use the same again
  --connections 4                   requests at a time, for reads
  --differences file                the known differences (default: conformance/differences.md)
  --limit-failures 40               how many causes are listed
  --report file.json                every failure with expected and actual values
  --summary                         only totals and the causes of failures
  --minimum filters=0.97,bodies=0.95   exit with 1 when a share is lower; without it, when anything failed
  --keep                            keep the servers' data and logs, and say where they are`

const DEFAULT_PARTS: readonly Part[] = ['filters', 'bodies', 'scenarios']
const RECORDED_TOKEN = '0123456789abcdef0123456789abcdef01234567'

/** Options from the command line; 'help' for --help. Throws an Error that names the wrong option. */
export function parseOptions(argv: readonly string[]): Options | 'help' {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      only: { type: 'string' },
      dataset: { type: 'boolean', default: false },
      webhooks: { type: 'boolean', default: false },
      openapi: { type: 'boolean', default: false },
      'data-sources': { type: 'boolean', default: false },
      scripts: { type: 'boolean', default: false },
      graphql: { type: 'boolean', default: false },
      imports: { type: 'boolean', default: false },
      search: { type: 'boolean', default: false },
      without: { type: 'string', multiple: true, default: [] },
      resources: { type: 'string' },
      resource: { type: 'string', multiple: true, default: [] },
      match: { type: 'string' },
      'database-url': { type: 'string' },
      'reads-url': { type: 'string' },
      'scenarios-url': { type: 'string' },
      over: { type: 'string' },
      'api-version': { type: 'string' },
      token: { type: 'string', default: RECORDED_TOKEN },
      salt: { type: 'string' },
      connections: { type: 'string', default: '4' },
      differences: { type: 'string' },
      'limit-failures': { type: 'string', default: '40' },
      report: { type: 'string' },
      summary: { type: 'boolean', default: false },
      minimum: { type: 'string' },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return 'help'
  if (positionals.length > 1) throw new Error(`one directory at most, not ${positionals.join(' ')}`)
  return {
    directory: positionals[0] ?? '../shared/reference',
    over: values.over,
    apiVersion: values['api-version'] ?? (values.over === undefined ? '4.6' : '4.7'),
    parts: chosenParts(values),
    resources: values.resources === undefined ? undefined : resourceList(values.resources),
    resource: values.resource,
    match: values.match,
    withoutFields: parseLeftOut(values.without),
    readsUrl: parseAddress('--reads-url', values['reads-url']),
    scenariosUrl: parseAddress('--scenarios-url', values['scenarios-url']),
    databaseUrl: values['database-url'],
    token: values.token,
    salt: values.salt,
    connections: parseWhole('--connections', values.connections, 1),
    differences: values.differences,
    limitFailures: parseWhole('--limit-failures', values['limit-failures'], 0),
    report: values.report,
    summary: values.summary,
    keep: values.keep,
    minimum: parseMinimum(values.minimum),
  }
}

const isPart = (name: string): name is Part => PARTS.some((part) => part === name)

function parsePart(option: string, name: string): Part {
  if (isPart(name)) return name
  throw new Error(`${option}: ${name || '(nothing)'} is none of ${PARTS.join(', ')}`)
}

interface PartOptions {
  readonly only?: string | undefined
  readonly dataset: boolean
  readonly webhooks: boolean
  readonly openapi: boolean
  readonly 'data-sources': boolean
  readonly scripts: boolean
  readonly graphql: boolean
  readonly imports: boolean
  readonly search: boolean
}

/** The options with the name of a part (`--dataset`, `--search` and so on) are short for `--only` with that part. */
function chosenParts({ only, ...shorthands }: PartOptions): readonly Part[] {
  const alone = PARTS.filter((name) => name in shorthands && shorthands[name as keyof typeof shorthands])
  const [part] = alone
  if (part === undefined) return parseParts(only)
  if (only === undefined && alone.length === 1) return alone
  throw new Error(`--${part} stands for --only ${part}: give one of them`)
}

function parseParts(text: string | undefined): readonly Part[] {
  if (text === undefined) return DEFAULT_PARTS
  return text.split(',').map((name) => parsePart('--only', name.trim()))
}

function parseAddress(option: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? '')) {
    throw new Error(`${option}: ${text} is not an http address`)
  }
  return text.replace(/\/+$/, '')
}

function parseWhole(option: string, text: string, least: number): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= least) return value
  throw new Error(`${option}: ${text} is not a whole number from ${least} up`)
}

function parseMinimum(text: string | undefined): Map<Part, number> {
  const minimum = new Map<Part, number>()
  for (const item of text?.split(',') ?? []) {
    const [name = '', share = ''] = item.trim().split('=')
    const value = share === '' ? Number.NaN : Number(share)
    if (!(value >= 0 && value <= 1)) throw new Error(`--minimum: ${item} is not like filters=0.97`)
    minimum.set(parsePart('--minimum', name), value)
  }
  return minimum
}

/**
 * Plays the recorded scripts of NetBox 4.7.3 with the recordings' own program: `node conformance/python-scripts.ts
 * <directory> [scenario…]`. Each scenario has a copy of the imported data set and a new server. Fails if a step differs
 * that no row of differences.md explains (`python script <scenario> step <number>`).
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseKnownDifferences } from './known-differences.ts'

interface Scenario {
  /** Files that the server must be able to import. */
  readonly modules?: readonly string[]
  readonly configuration?: { readonly CUSTOM_VALIDATORS?: unknown }
  readonly steps: readonly { readonly defect?: unknown }[]
}

const PROGRAM = join(import.meta.dirname, '../src/cli/main.ts')
const TOKEN = '0123456789abcdef0123456789abcdef01234567'
/** Milliseconds that a server may take to start. */
const START = 60_000

const [directory = '../shared/reference47/scripts', ...only] = process.argv.slice(2)
const recordings = resolve(directory)
const work = mkdtempSync(join(tmpdir(), 'python-scripts-'))
chmodSync(work, 0o755)
const port = 20_000 + (process.pid % 20_000)
const url = `http://127.0.0.1:${port}`
const environment = (data: string, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ...{ PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, DATA_DIR: join(work, data), PORT: String(port) },
  // As in NetBox, where scripts may do everything.
  ...{ SCRIPTS_ROOT: join(work, 'scripts'), SCRIPTS_ALL_PERMISSIONS: 'true', LOG_LEVEL: 'error', ...more },
})

const cadastre = (args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess =>
  spawn(process.execPath, [PROGRAM, ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] })

/** A server with the data set and the modules of the scenario. */
async function serve({ modules = [], configuration }: Scenario): Promise<ChildProcess> {
  for (const name of ['data', 'scripts']) rmSync(join(work, name), { recursive: true, force: true })
  // With its owner: PostgreSQL refuses to run as root.
  execFileSync('cp', ['-a', join(work, 'prepared'), join(work, 'data')])
  mkdirSync(join(work, 'scripts'))
  for (const name of modules) cpSync(join(recordings, 'scripts', name), join(work, 'scripts', name))
  const rules = configuration?.CUSTOM_VALIDATORS
  const server = cadastre(
    ['serve'],
    environment('data', rules === undefined ? {} : { CUSTOM_VALIDATORS: JSON.stringify(rules) }),
  )
  const isReady = async () =>
    (await fetch(`${url}/api/status/`, { headers: { authorization: `Token ${TOKEN}` } }).catch(() => undefined))?.ok
  for (const end = Date.now() + START; !(await isReady()) && server.exitCode === null && Date.now() < end; ) {
    await setTimeout(100)
  }
  return server
}

/** What the recordings' program says of a scenario, by step; `list` for its uploads and its list of scripts. */
async function play(name: string, scenario: Scenario): Promise<ReadonlyMap<string, readonly string[]>> {
  const server = await serve(scenario)
  // From now on: a server that has ended emits nothing.
  const ended = server.exitCode === null && server.signalCode === null ? once(server, 'exit') : undefined
  const program = join(recordings, 'replay_scripts.py')
  const args = [program, '--url', url, '--token', TOKEN, '--only', name, '--show', '5', recordings]
  const replay = spawn('python3', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  replay.stdout.on('data', (text: Buffer) => {
    output += text.toString()
  })
  await once(replay, 'close')
  server.kill()
  await ended
  const lines = output.split('\n').flatMap((line) => {
    const [, step = 'list', words] = /^(?!Files)\w+ (?:step (\d+) \(\w+\) |listed)(.*)$/.exec(line) ?? []
    return words === undefined ? [] : [{ step, words: words.trim() }]
  })
  const [, equal, all] = /^(\d+) of (\d+) runs equal$/m.exec(output) ?? []
  const different = new Set(lines.map(({ step }) => step).filter((step) => step !== 'list')).size
  if (Number(all) - Number(equal) !== different)
    lines.push({ step: 'list', words: `not played: ${output.slice(-500)}` })
  return new Map(
    [...Map.groupBy(lines, ({ step }) => step)].map(([step, list]) => [step, list.map(({ words }) => words)]),
  )
}

try {
  const [status] = await once(
    cadastre(['import', '--new', join(recordings, 'dataset')], environment('prepared')),
    'exit',
  )
  if (status !== 0) throw new Error('The data set could not be imported')
  const known = parseKnownDifferences(readFileSync(join(import.meta.dirname, 'differences.md'), 'utf8'))
  // Rows of other parts, such as `* step *`, apply to theirs only.
  const patterns = known.flatMap(({ where }) => where.filter(({ source }) => source.startsWith('^python script')))
  const isKnown = (id: string): boolean => patterns.some((pattern) => pattern.test(id))
  const sum = { equal: 0, explained: 0, different: 0 }
  for (const file of readdirSync(join(recordings, 'scenarios')).sort()) {
    const name = basename(file, '.json')
    if (only.length > 0 && !only.includes(name)) continue
    const scenario = JSON.parse(readFileSync(join(recordings, 'scenarios', file), 'utf8')) as Scenario // a recording
    const differences = await play(name, scenario)
    const steps = scenario.steps.flatMap(({ defect }, index) => (defect ? [] : [String(index)]))
    for (const step of ['list', ...steps]) {
      const id = `python script ${name} ${step === 'list' ? 'list' : `step ${step}`}`
      const words = differences.get(step)
      if (!words) sum.equal += 1
      else if (isKnown(id)) sum.explained += 1
      else {
        sum.different += 1
        console.log(`FAIL ${id}\n  ${words.join('\n  ')}`)
      }
    }
  }
  console.log(`${sum.explained} differences are explained.`)
  console.log(`${sum.equal} passed, ${sum.different} failed, ${sum.explained} skipped`)
  process.exitCode = sum.different === 0 ? 0 : 1
} finally {
  rmSync(work, { recursive: true, force: true })
}

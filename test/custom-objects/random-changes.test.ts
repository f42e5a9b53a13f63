import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, dropTestDatabase } from '../support/database.ts'
import { directoryOfRun } from '../support/directory.ts'
import { randomNumbers } from '../support/random-writes.ts'
import { runSize } from '../support/run-size.ts'
import { type ServerProcess, send, startServer } from '../support/server.ts'
import { type Ask, ExpectedModels, KINDS, type Step } from './random-changes.ts'

/** Changes of models, writes and undos in random order, by two processes over one database, one of which restarts. */
const SEQUENCES = runSize({ full: 40, usual: 2 })
const STEPS = runSize({ full: 60, usual: 30 })
const SEED = Number(process.env.SEED ?? 20_261_128)
/** Runs that search for a shorter sequence that fails too. */
const SHORTER_RUNS = 60

let url: string
let processes: ServerProcess[] = []
const start = () => startServer({ DATA_DIR: directoryOfRun(), DATABASE_URL: url, LOG_LEVEL: 'error' })
beforeAll(async () => {
  url = await createTestDatabase('migrated')
  processes = [await start(), await start()]
})
afterAll(async () => {
  await Promise.all(processes.map((server) => server.kill()))
  await dropTestDatabase(url)
})

const askOf =
  (index: number): Ask =>
  async (method, path, body) => {
    const server = processes[index]
    if (!server) throw new Error(`There is no process ${index}`)
    const response = await send(server, method, path, body)
    const text = await response.text()
    const request = String(response.headers.get('x-request-id'))
    return { status: response.status, text, request, json: text === '' ? {} : JSON.parse(text) }
  }

let runs = 0

/** The error of the sequence with new models; undefined if the lists of both processes equal those expected. */
async function failureOf(steps: readonly Step[]): Promise<string | undefined> {
  const expected = new ExpectedModels(`r${++runs}`)
  for (const [index, step] of steps.entries()) {
    const [kind, first] = step
    try {
      if (kind === 'restart') {
        await processes[1]?.stop()
        processes[1] = await start()
      }
      await expected.take(askOf(first % 2), step)
      await expected.compare(askOf(0))
      await expected.compare(askOf(1))
    } catch (error) {
      return `step ${index + 1}: ${error instanceof Error ? error.message : error}`
    }
  }
  return undefined
}

/** The shortest failing sequence that removals of parts lead to. */
async function shortest(steps: readonly Step[]): Promise<readonly Step[]> {
  let failing = steps
  let left = SHORTER_RUNS
  for (let size = failing.length >> 1; size > 0; size >>= 1) {
    for (let from = 0; from < failing.length && left > 0; left--) {
      const shorter = failing.toSpliced(from, size)
      if ((await failureOf(shorter)) === undefined) from += size
      else failing = shorter
    }
  }
  return failing
}

it.each(Array.from({ length: SEQUENCES }, (_, index) => SEED + index))(
  'the lists of two processes are as expected after each step (seed %i)',
  async (seed) => {
    const below = randomNumbers(seed)
    const steps = Array.from({ length: STEPS }, (): Step => {
      const kind = KINDS[below(KINDS.length)] ?? 'create'
      return [kind, below(1_000), below(1_000), below(1_000)]
    })
    const failure = await failureOf(steps)
    if (failure === undefined) return
    const short = await shortest(steps)
    expect.fail(`${failure}\nShortest sequence of seed ${seed}: ${JSON.stringify(short)}\n${await failureOf(short)}`)
  },
)

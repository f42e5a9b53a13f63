import { expect, it, onTestFinished } from 'vitest'
import { crash, victimOf } from '../support/crashes.ts'
import { directoryOfTest } from '../support/directory.ts'
import { runSize } from '../support/run-size.ts'
import { type ServerProcess, send, startServer } from '../support/server.ts'

const ROUNDS = runSize({ full: 30, usual: 6 })
const BULK = 20
const WRITERS = 3
/** Requests of one writer in the first round; each further round has one more. */
const TURNS = 10

/** Results of a writer: names of acknowledged sites, and of each bulk request it sent. */
interface Ledger {
  readonly acknowledged: Set<string>
  readonly bulks: string[][]
}

const site = (name: string) => ({ name, slug: name })

/** Writes until the service does not respond, or without its database, at the latest until it has recovered: single sites and bulk requests of twenty, alternately. */
async function writeUntilGone(
  server: ServerProcess,
  writer: string,
  { ledger, hasRecovered }: { readonly ledger: Ledger; readonly hasRecovered: () => boolean },
  afterAnswer: (turn: number) => void,
): Promise<void> {
  for (let turn = 0; !hasRecovered(); turn++) {
    const prefix = `${writer}-t${turn}`
    const names = turn % 3 === 2 ? Array.from({ length: BULK }, (_, index) => `${prefix}-b${index}`) : [prefix]
    if (names.length > 1) ledger.bulks.push(names)
    const body = names.length > 1 ? names.map(site) : site(prefix)
    const answer = await send(server, 'POST', '/api/dcim/sites/', body).catch(() => undefined)
    if (answer === undefined || answer.status === 503) return
    if (answer.status !== 201) throw new Error(`${answer.status}: ${await answer.text()}`)
    for (const name of names) ledger.acknowledged.add(name)
    afterAnswer(turn)
  }
}

async function storedNames(server: ServerProcess): Promise<Set<string>> {
  const names = new Set<string>()
  let path: string | null = '/api/dcim/sites/?limit=1000&fields=name'
  while (path) {
    const page = (await (await send(server, 'GET', path)).json()) as {
      next: string | null
      results: { name: string }[]
    }
    for (const { name } of page.results) names.add(name)
    path = page.next === null ? null : page.next.slice(server.url.length)
  }
  return names
}

it(`kill -9 of the service, its server or a backend during writes, ${ROUNDS} times: acknowledged writes are stored, and bulk requests completely or not at all`, async () => {
  const environment = { DATA_DIR: directoryOfTest() }
  const ledger: Ledger = { acknowledged: new Set(), bulks: [] }
  let server = await startServer(environment)
  onTestFinished(() => server.kill())
  for (let round = 0; round < ROUNDS; round++) {
    let isOver = false
    const { promise: isTime, resolve } = Promise.withResolvers<void>()
    // The process is killed right after a response to the first writer, while it is processing requests of the others.
    const writing = Array.from({ length: WRITERS }, (_, writer) =>
      writeUntilGone(server, `r${round}-w${writer}`, { ledger, hasRecovered: () => isOver }, (turn) => {
        if (writer === 0 && turn === TURNS + round) resolve()
      }),
    )
    await isTime
    server = await crash(server, environment, victimOf(round))
    isOver = true
    await Promise.all(writing)
  }
  const stored = await storedNames(server)
  expect(ledger.acknowledged.size).toBeGreaterThan(ROUNDS * BULK)
  expect([...ledger.acknowledged].filter((name) => !stored.has(name))).toEqual([])
  const halves = ledger.bulks.filter((names) => {
    const present = names.filter((name) => stored.has(name)).length
    return present !== 0 && present !== names.length
  })
  expect(halves).toEqual([])
})

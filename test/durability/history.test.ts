import { expect, it, onTestFinished } from 'vitest'
import { modelRegistry } from '../../src/app/core.ts'
import { checkHistory } from '../../src/cli/doctor/history.ts'
import { readSettings } from '../../src/config/settings.ts'
import { openDatabase } from '../../src/db/open.ts'
import { crash, victimOf } from '../support/crashes.ts'
import { directoryOfTest } from '../support/directory.ts'
import { runSize } from '../support/run-size.ts'
import { type ServerProcess, send, startServer } from '../support/server.ts'

const ROUNDS = runSize({ full: 9, usual: 3 })
const WRITERS = 3
/** Requests of one writer in the first round; each further round has one more. */
const TURNS = 8

/** Creates, changes and deletes sites until the service does not respond, or without its database, at the latest until it has recovered. */
async function writeUntilGone(
  server: ServerProcess,
  writer: string,
  hasRecovered: () => boolean,
  afterAnswer: (turn: number) => void,
): Promise<void> {
  for (let turn = 0; !hasRecovered(); turn++) {
    const name = `${writer}-t${turn}`
    try {
      const created = await send(server, 'POST', '/api/dcim/sites/', { name, slug: name })
      if (created.status === 503) return
      const { id } = (await created.json()) as { id: number }
      const path = `/api/dcim/sites/${id}/`
      await send(server, 'PATCH', path, { description: `of ${name}` })
      if (turn % 3 === 0) await send(server, 'DELETE', path, undefined)
    } catch {
      return
    }
    afterAnswer(turn)
  }
}

const sites = async (server: ServerProcess, query = ''): Promise<string> =>
  await (await send(server, 'GET', `/api/dcim/sites/?limit=1000${query}`)).text()

it(`kill -9 of the service, its server or a backend during writes, ${ROUNDS} times: history, records and tables agree, and past states are shown`, async () => {
  const environment = { DATA_DIR: directoryOfTest() }
  let server = await startServer(environment)
  onTestFinished(() => server.kill())
  const taken: { readonly time: string; readonly list: string }[] = []
  const withoutAddress = (list: string) => list.replaceAll(/http:\/\/[^/]+/g, '')
  for (let round = 0; round < ROUNDS; round++) {
    const list = withoutAddress(await sites(server))
    taken.push({ time: new Date().toISOString(), list })
    let isOver = false
    const { promise: isTime, resolve } = Promise.withResolvers<void>()
    // The process is killed right after a response to the first writer, while it is processing requests of the others.
    const writing = Array.from({ length: WRITERS }, (_, writer) =>
      writeUntilGone(
        server,
        `r${round}-w${writer}`,
        () => isOver,
        (turn) => {
          if (writer === 0 && turn === TURNS + round) resolve()
        },
      ),
    )
    await isTime
    server = await crash(server, environment, victimOf(round))
    isOver = true
    await Promise.all(writing)
  }
  for (const { time, list } of taken) {
    expect(withoutAddress(await sites(server, `&as_of=${time}`))).toBe(list)
  }
  const database = await openDatabase(readSettings(environment))
  onTestFinished(() => database.close())
  expect(await checkHistory(database, modelRegistry())).toMatchObject({ state: 'ok' })
})

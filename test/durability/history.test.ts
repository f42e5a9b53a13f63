import { expect, it, onTestFinished } from 'vitest'
import { checkHistory } from '../../src/cli/doctor/history.ts'
import { readSettings } from '../../src/config/settings.ts'
import { modelRegistry } from '../../src/core.ts'
import { openDatabase } from '../../src/db/open.ts'
import { runSize } from '../support/run-size.ts'
import { SERVED_STORAGES } from '../support/served-storages.ts'
import { type ServerProcess, send, startServer } from '../support/server.ts'

const ROUNDS = runSize({ full: 5, usual: 3 })
const WRITERS = 3
/** Requests of one writer in the first round; each further round has one more. */
const TURNS = 8

/** Creates, changes and deletes sites until the server is gone. */
async function writeUntilGone(
  server: ServerProcess,
  writer: string,
  afterAnswer: (turn: number) => void,
): Promise<void> {
  for (let turn = 0; ; turn++) {
    const name = `${writer}-t${turn}`
    try {
      const created = await send(server, 'POST', '/api/dcim/sites/', { name, slug: name })
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

it.each(SERVED_STORAGES)(
  `$storage: kill -9 during writes, ${ROUNDS} times: history, records and tables agree, and past states are shown`,
  async ({ settings }) => {
    const environment = await settings()
    const taken: { readonly time: string; readonly list: string }[] = []
    const withoutAddress = (list: string) => list.replaceAll(/http:\/\/[^/]+/g, '')
    for (let round = 0; round < ROUNDS; round++) {
      const server = await startServer(environment)
      const list = withoutAddress(await sites(server))
      taken.push({ time: new Date().toISOString(), list })
      const { promise: isTime, resolve } = Promise.withResolvers<void>()
      // The server is killed right after a response to the first writer, while it is processing requests of the others.
      const writing = Array.from({ length: WRITERS }, (_, writer) =>
        writeUntilGone(server, `r${round}-w${writer}`, (turn) => {
          if (writer === 0 && turn === TURNS + round) resolve()
        }),
      )
      await isTime
      await server.kill()
      await Promise.all(writing)
    }
    const server = await startServer(environment)
    for (const { time, list } of taken) {
      expect(withoutAddress(await sites(server, `&as_of=${time}`))).toBe(list)
    }
    await server.kill()
    const database = await openDatabase(readSettings(environment))
    onTestFinished(() => database.close())
    expect(await checkHistory(database, modelRegistry())).toMatchObject({ state: 'ok' })
  },
)

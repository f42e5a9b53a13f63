import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { databaseUrlOfTest } from '../support/database.ts'
import { readEventSource } from '../support/event-source.ts'
import { SERVER_TOKEN, send, startServer } from '../support/server.ts'

const WRITERS = 4
const WRITES = 10

it('clients of several processes get the changes of all of them, in the same order', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'cadastre-events-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const url = await databaseUrlOfTest('migrated')
  const settings = { DATA_DIR: directory, DATABASE_URL: url }
  const servers = [await startServer(settings), await startServer(settings)]
  onTestFinished(async () => void (await Promise.all(servers.map((server) => server.kill()))))
  const readers = await Promise.all(
    servers.map((server) =>
      readEventSource(`${server.url}/api/core/events/`, { authorization: `Token ${SERVER_TOKEN}` }),
    ),
  )
  onTestFinished(() => readers.forEach((reader) => void reader.close()))
  const write = async (writer: number) => {
    for (let turn = 0; turn < WRITES; turn++) {
      const name = `w${writer}-${turn}`
      const server = servers[(writer + turn) % servers.length]
      if (!server) throw new Error('Two servers run here')
      const { status } = await send(server, 'POST', '/api/dcim/sites/', { name, slug: name })
      expect(status).toBe(201)
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
  const streams = await Promise.all(
    readers.map(async (reader) => {
      const names: string[] = []
      while (names.length < WRITERS * WRITES) {
        const message = await reader.next()
        names.push(`${message?.id} ${JSON.parse(message?.data ?? '').object_repr}`)
      }
      return names
    }),
  )
  expect(streams[0]).toEqual(streams[1])
  expect(streams[0]?.map((text) => text.split(' ')[0])).toEqual(
    Array.from({ length: WRITERS * WRITES }, (_, index) => String(index + 1)),
  )
})

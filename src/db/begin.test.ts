import { expect, it } from 'vitest'
import { begin } from './begin.ts'
import type { Connection } from './connection.ts'

/** A connection that records its statements; they are sent when `send` is called. */
function connectionTo(server: Promise<void>) {
  const put: string[] = []
  let piece = {}
  const connection: Connection = {
    pipelineId: () => piece,
    run: async (text) => {
      put.push(text)
      return { rows: [], command: 'SELECT', count: 0 }
    },
    script: async () => undefined,
    command: (text) => {
      put.push(text)
      return server.then(() => text)
    },
  }
  const send = (): void => {
    piece = {}
  }
  return { put, connection, send }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))
const BEGINNING = [expect.stringContaining('begin')]

it('statements sent together with BEGIN do not wait', () => {
  const { put, connection } = connectionTo(new Promise(() => undefined))
  void begin(connection).connection.run('insert', [], 'arrays')
  expect(put).toEqual([...BEGINNING, 'insert'])
})

it('later statements wait for BEGIN, in their order', async () => {
  const server = Promise.withResolvers<void>()
  const { put, connection, send } = connectionTo(server.promise)
  const { connection: within } = begin(connection)
  send()
  const results = ['insert', 'update'].map((text) => within.run(text, [], 'arrays'))
  await settled()
  expect(put).toEqual(BEGINNING)
  server.resolve()
  await Promise.all(results)
  expect(put).toEqual([...BEGINNING, 'insert', 'update'])
})

it('later statements are not sent if BEGIN fails', async () => {
  const { put, connection, send } = connectionTo(Promise.reject(new Error('cancelled')))
  const { connection: within } = begin(connection)
  send()
  await expect(within.run('insert', [], 'arrays')).rejects.toThrow('cancelled')
  expect(put).toEqual(BEGINNING)
})

it('if each statement is sent on its own, all of them wait for BEGIN', async () => {
  const server = Promise.withResolvers<void>()
  const { put, connection } = connectionTo(server.promise)
  const single: Connection = { ...connection, pipelineId: () => ({}) }
  void begin(single).connection.run('select', [], 'arrays')
  await settled()
  expect(put).toEqual(BEGINNING)
})

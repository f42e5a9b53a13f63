import type { PGlite } from '@electric-sql/pglite'
import { describe, expect, it } from 'vitest'
import { sql } from '../sql/fragment.ts'
import { databaseOver } from './pglite.ts'

/** A message of the wire protocol: type, length, content. */
function message(type: string, content: string): Buffer {
  const head = Buffer.from(`${type}0000`)
  head.writeInt32BE(4 + content.length, 1)
  return Buffer.concat([head, Buffer.from(content, 'latin1')])
}

const DONE = [message('C', 'SELECT 0\0'), message('Z', 'I')]
const PANIC = [message('E', 'SPANIC\0VPANIC\0C53100\0MNo space left on device\0\0'), message('Z', 'I')]

/** An engine that answers each statement with the same messages; after a PANIC, a real engine never responds again. */
function engineAnswering(answers: readonly (readonly Buffer[])[]) {
  const engine = { asked: 0, closed: 0 }
  const execProtocolRawStream = async (
    _messages: Uint8Array,
    { onRawData }: { readonly onRawData: (part: Uint8Array) => void },
  ) => {
    for (const part of answers[engine.asked] ?? DONE) onRawData(part)
    engine.asked += 1
  }
  const close = async () => {
    engine.closed += 1
  }
  return { engine, pglite: { execProtocolRawStream, close } as unknown as PGlite }
}

// The session's settings take two statements.
const FAILING = [DONE, DONE, PANIC]

describe('an engine that fails permanently', () => {
  it('is replaced by one with the same files, and not used again', async () => {
    const [first, second] = [engineAnswering(FAILING), engineAnswering([])]
    const database = await databaseOver(first.pglite, () => undefined, {
      startEngine: async () => second.pglite,
      freeBytes: () => 0,
    })
    await expect(database.query(sql`select 1`)).rejects.toMatchObject({ code: '53100' })
    expect(await database.query(sql`select 2`)).toEqual([])
    await database.close()
    expect([first.engine, second.engine]).toEqual([
      { asked: 3, closed: 0 },
      { asked: 3, closed: 1 },
    ])
  })

  it('is retried with each statement while none can be started', async () => {
    const [first, second] = [engineAnswering(FAILING), engineAnswering([])]
    let isRoom = false
    const database = await databaseOver(first.pglite, () => undefined, {
      startEngine: async () => {
        if (!isRoom) throw new Error('No room')
        return second.pglite
      },
      freeBytes: () => 0,
    })
    await expect(database.query(sql`select 1`)).rejects.toMatchObject({ code: '53100' })
    await expect(database.query(sql`select 2`)).rejects.toMatchObject({
      reason: { kind: 'unavailable' },
    })
    isRoom = true
    expect(await database.query(sql`select 3`)).toEqual([])
  })
})

import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WritesFirst } from './writes-first.ts'

const READS = ['first', 'second', 'third']

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** Begins three reads at once, and notes each as it begins. */
function beginReads(requests: WritesFirst): { begun: string[]; ended: Promise<unknown> } {
  const begun: string[] = []
  const ended = Promise.all(READS.map((name) => requests.run(true, async () => begun.push(name))))
  return { begun, ended }
}

/** A write that is in progress until `end` is called. */
function beginWrite(requests: WritesFirst) {
  const { promise, resolve: end, reject: fail } = Promise.withResolvers<void>()
  const ended = requests.run(false, () => promise).catch(() => undefined)
  return { end, fail, ended }
}

test('without a write, reads begin at once', () => {
  expect(beginReads(new WritesFirst()).begun).toEqual(READS)
})

test.each(['succeeds', 'fails'])('reads wait for a write that %s, and then begin', async (end) => {
  const requests = new WritesFirst()
  const write = beginWrite(requests)
  const { begun, ended } = beginReads(requests)
  vi.advanceTimersByTime(3)
  await nextTurn()
  expect(begun).toEqual([])
  if (end === 'succeeds') write.end()
  else write.fail(new Error('refused'))
  await Promise.all([write.ended, ended])
  expect(begun).toEqual(READS)
  expect(beginReads(requests).begun).toEqual(READS)
})

test('reads wait for a long write for some milliseconds only, and then begin one in each turn', async () => {
  const requests = new WritesFirst()
  const write = beginWrite(requests)
  const { begun, ended } = beginReads(requests)
  vi.advanceTimersByTime(4)
  await nextTurn()
  expect(begun).toEqual([])
  vi.advanceTimersByTime(1)
  await nextTurn()
  expect(begun).toEqual(['first'])
  await nextTurn()
  expect(begun).toEqual(['first', 'second'])
  await ended
  expect(begun).toEqual(READS)
  write.end()
  await write.ended
})

test('a write begins before the reads that wait', async () => {
  const requests = new WritesFirst()
  const first = beginWrite(requests)
  const { begun, ended } = beginReads(requests)
  await requests.run(false, async () => begun.push('second write'))
  expect(begun).toEqual(['second write'])
  first.end()
  await Promise.all([first.ended, ended])
})

import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { WritesFirst } from './writes-first.ts'

const READS = ['first', 'second', 'third']

/** Begins three reads at once, and notes each as it begins. */
function beginReads(requests: WritesFirst): { begun: string[]; ended: Promise<unknown> } {
  const begun: string[] = []
  const ended = Promise.all(READS.map((name) => requests.run(true, async () => begun.push(name))))
  return { begun, ended }
}

test('without a write, reads begin at once', () => {
  expect(beginReads(new WritesFirst()).begun).toEqual(READS)
})

test.each([
  ['succeeds', () => Promise.resolve()],
  ['fails', () => Promise.reject(new Error('refused'))],
])('beside a write that %s, one read begins in each turn of the event loop', async (_, end) => {
  const requests = new WritesFirst()
  const { promise: ending, resolve: endWrite } = Promise.withResolvers<void>()
  const write = requests.run(false, () => ending.then(end)).catch(() => undefined)
  const { begun, ended } = beginReads(requests)
  expect(begun).toEqual([])
  await nextTurn()
  expect(begun).toEqual(['first'])
  await nextTurn()
  expect(begun).toEqual(['first', 'second'])
  endWrite()
  await Promise.all([write, ended])
  expect(begun).toEqual(READS)
  expect(beginReads(requests).begun).toEqual(READS)
})

test('a write begins before the reads that wait', async () => {
  const requests = new WritesFirst()
  const { promise: ending, resolve: endWrite } = Promise.withResolvers<void>()
  const first = requests.run(false, () => ending)
  const { begun, ended } = beginReads(requests)
  await requests.run(false, async () => begun.push('second write'))
  expect(begun).toEqual(['second write'])
  endWrite()
  await Promise.all([first, ended])
})

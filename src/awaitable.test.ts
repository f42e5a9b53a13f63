import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type Awaitable, allValues, andThen, mapAll, runSteps } from './awaitable.ts'

const late = <T>(value: T): Promise<T> => setImmediate(value)

describe('values that are there are passed on without a promise', () => {
  it.each<{ name: string; value: Awaitable<unknown>; expected: unknown }>([
    { name: 'andThen', value: andThen(2, (value) => value + 1), expected: 3 },
    { name: 'allValues', value: allValues([1, 'two']), expected: [1, 'two'] },
    { name: 'allValues, of none', value: allValues([]), expected: [] },
    { name: 'mapAll', value: mapAll([1, 2], (value) => value * 2), expected: [2, 4] },
    { name: 'runSteps', value: runSteps([() => 1, () => undefined]), expected: undefined },
  ])('$name', ({ value, expected }) => expect(value).toEqual(expected))
})

describe('values that are on their way are waited for', () => {
  it.each<{ name: string; value: Awaitable<unknown>; expected: unknown }>([
    { name: 'andThen', value: andThen(late(2), (value) => value + 1), expected: 3 },
    { name: 'andThen, before the result', value: andThen(2, late), expected: 2 },
    { name: 'allValues', value: allValues([late(1), 'two']), expected: [1, 'two'] },
    {
      name: 'mapAll',
      value: mapAll([1, 2], (value) => (value === 1 ? late(value) : value)),
      expected: [1, 2],
    },
  ])('$name', async ({ value, expected }) => {
    expect(value).toBeInstanceOf(Promise)
    expect(await value).toEqual(expected)
  })
})

it('each step begins when the one before has ended', async () => {
  const taken: string[] = []
  const step = (name: string, work?: Promise<unknown>) => async () => {
    taken.push(`${name} begins`)
    await work
    taken.push(`${name} ends`)
  }
  await runSteps([step('first', late(1)), () => taken.push('second'), step('third', late(1))])
  expect(taken).toEqual(['first begins', 'first ends', 'second', 'third begins', 'third ends'])
})

it('a step that fails is the last', async () => {
  const taken: string[] = []
  const failing = runSteps([
    () => late(1),
    () => {
      throw new Error('no')
    },
    () => taken.push('later'),
  ])
  await expect(failing).rejects.toThrow('no')
  expect(taken).toEqual([])
})

it('an item that fails at once leaves no other rejection behind', async () => {
  const fails = async (item: number): Promise<number> => {
    await late(1)
    throw new Error(`late ${item}`)
  }
  const all = mapAll([1, 2, 3], (item) => {
    if (item === 2) throw new Error('at once')
    return fails(item)
  })
  await expect(all).rejects.toThrow('at once')
  // Vitest fails a run with unhandled rejections.
  await late(1)
})

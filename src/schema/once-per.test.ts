import { expect, it } from 'vitest'
import { oncePer } from './once-per.ts'

it('makes a value once for each object', () => {
  let calls = 0
  const numberOf = oncePer((_key: object, step: number) => {
    calls += step
    return calls
  })
  const [one, other] = [{}, {}]
  expect([numberOf(one, 1), numberOf(one, 1), numberOf(other, 2), numberOf(one, 3)]).toEqual([
    1, 1, 3, 1,
  ])
})

it('keeps the value undefined, and makes it again after a failure', () => {
  const results = [new Error('no'), undefined, 'again']
  const next = oncePer((_key: object) => {
    const result = results.shift()
    if (result instanceof Error) throw result
    return result
  })
  const key = {}
  expect(() => next(key)).toThrow('no')
  expect([next(key), next(key)]).toEqual([undefined, undefined])
})

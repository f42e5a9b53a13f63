import { expect, it } from 'vitest'
import { oncePer, oncePerText } from './once-per.ts'

it('computes a value once for each object', () => {
  let calls = 0
  const numberOf = oncePer((_key: object, step: number) => {
    calls += step
    return calls
  })
  const [one, other] = [{}, {}]
  expect([numberOf(one, 1), numberOf(one, 1), numberOf(other, 2), numberOf(one, 3)]).toEqual([1, 1, 3, 1])
})

it('keeps an undefined value, and computes the value again after a failure', () => {
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

it('a value for an object and a text is computed again after as many other texts as are kept', () => {
  const made: string[] = []
  const named = oncePerText(2, (owner: { name: string }, text, end: string) => {
    made.push(owner.name + text + end)
    return { text }
  })
  const [one, other] = [{ name: 'a' }, { name: 'b' }]
  expect(named(one, '1', '!')).toBe(named(one, '1', '?'))
  named(other, '1', '!')
  for (const text of ['2', '3', '1']) named(one, text, '!')
  expect(made).toEqual(['a1!', 'b1!', 'a2!', 'a3!', 'a1!'])
})

it('a value for a long text is computed each time', () => {
  const boxed = oncePerText(2, (_owner: object, text) => ({ text }), { longest: 3 })
  const owner = {}
  expect(boxed(owner, 'abc')).toBe(boxed(owner, 'abc'))
  expect(boxed(owner, 'abcd')).not.toBe(boxed(owner, 'abcd'))
  expect(boxed(owner, 'abcd')).toEqual({ text: 'abcd' })
})

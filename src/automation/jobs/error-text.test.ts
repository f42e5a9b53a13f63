import { expect, it } from 'vitest'
import { errorText } from './error-text.ts'

class AbortScript extends Error {
  override readonly name = 'AbortScript'
}

it.each([
  [new Error('boom'), "Error('boom')"],
  [new TypeError("it's null"), `TypeError("it's null")`],
  [new Error(`both ' and "`), `Error('both \\' and "')`],
  [new AbortScript('stop it'), "AbortScript('stop it')"],
  [new Error('two\nlines'), "Error('two\\nlines')"],
  [new Error(), 'Error()'],
  ['text', "'text'"],
])('%o is shown on one line', (error, text) => {
  expect(errorText(error)).toBe(text)
})

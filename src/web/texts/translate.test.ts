import { describe, expect, it } from 'vitest'
import { inLanguage } from './language.ts'
import { numeral, translate, translateLabel } from './translate.ts'

describe('a text of a page', () => {
  it('is English outside a page', () => {
    expect(translate('Log in')).toBe('Log in')
  })

  it('is in the language of the page even after an asynchronous step', async () => {
    const text = await inLanguage('de', async () => {
      await Promise.resolve()
      return translate('Log in')
    })
    expect(text).toBe('Anmelden')
  })

  it('has its values in place of the placeholders, unchanged', () => {
    const list = '{count} <b>$&</b>'
    expect(translate('Add {model}', { model: list })).toBe(`Add ${list}`)
    expect(inLanguage('de', () => translate('Add {model}', { model: list }))).toBe(`${list} hinzufügen`)
  })

  it.each([
    [1, 'in 1 Sekunde möglich'],
    [2, 'in 2 Sekunden möglich'],
    [1200, 'in 1.200 Sekunden möglich'],
  ])('has the plural form and the separators of the language for %d', (count, expected) => {
    const text = inLanguage('de', () =>
      translate('Too many attempts. Try again in {count} second.|Too many attempts. Try again in {count} seconds.', {
        count,
      }),
    )
    expect(text).toContain(expected)
  })

  it.each(['Gadgets of a plugin', 'constructor', ''])('that is the unknown label %j stays as it is', (label) => {
    expect(inLanguage('de', () => translateLabel(label))).toBe(label)
  })
})

it('a number has the separators of the language', () => {
  expect([numeral(12345), inLanguage('de', () => numeral(12345))]).toEqual(['12,345', '12.345'])
})

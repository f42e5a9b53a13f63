import { describe, expect, it } from 'vitest'
import { renamer } from './bulk-rename-page.ts'

describe('find and replace', () => {
  it.each([
    ['a.b.c', '.', '$&', false, 'a$&b$&c'],
    ['Gi1/0/1', 'Gi(\\d)/(\\d)/(\\d+)', 'Te\\2/\\1/\\3', true, 'Te0/1/1'],
    ['eth0', '(?P<kind>[a-z]+)', '\\g<kind>-', true, 'eth-0'],
    ['eth0', '^', 'x', true, 'xeth0'],
    ['aa', 'a', '\\\\', true, '\\\\'],
    ['abc', 'b', '\\9', true, 'ac'],
    ['Straße 😀', 'ß', 'ss', true, 'Strasse 😀'],
  ])('%s: %s → %s', (name, find, replace, isExpression, expected) => {
    const rename = renamer({ find, replace, isExpression })
    expect(typeof rename === 'string' ? rename : rename(name)).toBe(expected)
  })

  it('takes time linear in the length of the name', () => {
    const rename = renamer({ find: '(a+)+$', replace: '', isExpression: true })
    const name = `${'a'.repeat(50_000)}!`
    expect(typeof rename === 'string' ? rename : rename(name)).toBe(name)
  })
})

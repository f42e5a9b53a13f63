import { describe, expect, it } from 'vitest'
import { cutName, sharedStart } from './cut-name.ts'

describe('names that are cut', () => {
  it.each([
    ['dmi01-akron-rtr01', ['dmi01-akron-rtr01', 'dmi01-akron-sw01', 'Panduit'], 'dmi01-akron-'],
    ['server10', ['server10', 'server11'], 'server'],
    ['mh-server-02', ['mh-server-01', 'mh-server-02', 'mh-switch'], 'mh-server-'],
    ['r105-torsw:1', ['r105-torsw:1', 'r105-torsw:2'], 'r105-torsw:'],
    ['sw1.example.com', ['sw1.example.com', 'sw2.example.com'], 'sw'],
    ['core', ['core', 'core-2'], ''],
    ['core-2', ['core', 'core-2'], ''],
    ['alpha', ['alpha', 'beta'], ''],
    ['sw-🦊1', ['sw-🦊1', 'sw-🦋2'], 'sw-'],
    ['🦊1', ['🦊1', '🦋2'], ''],
    ['alpha', ['alpha'], ''],
    ['alpha', [], ''],
    ['\u05e9\u05e8\u05ea-1', ['\u05e9\u05e8\u05ea-1', '\u05e9\u05e8\u05ea-2'], '\u05e9\u05e8\u05ea-'],
  ])('%s among %j shares "%s"', (name, names, start) => {
    expect(name.slice(0, sharedStart(name, names))).toBe(start)
  })

  it('keep their whole text', () => {
    const text = (name: string, names: readonly string[]) => cutName(name, names).markup.replaceAll(/<[^>]*>/g, '')
    expect(text('a-1', ['a-1', 'a-2'])).toBe('a-1')
    expect(text('alone', ['alone'])).toBe('alone')
  })
})

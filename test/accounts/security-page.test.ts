import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** The rows of the table: the attack, the defence, the names of the tests. */
const rows = readFileSync('docs/operate/security.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| attack'))
  .map((line) => line.split(' | '))

it('docs/operate/security.md names a test for every defence', () => {
  expect(rows.length).toBeGreaterThan(15)
  for (const [way = '', , tests = ''] of rows) {
    const named = [...tests.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
    expect(named, way).not.toHaveLength(0)
    for (const name of named) {
      expect(globSync(`{test,src}/${name}.test.ts`), `${way}: ${name}`).not.toHaveLength(0)
    }
  }
})

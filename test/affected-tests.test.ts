import { globSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { EXTENDED } from '../vitest.config.ts'
import { AFFECTED, affectedTests } from './support/affected-tests.ts'

const extended = globSync([...EXTENDED])
const selectedBy = (filters: readonly string[]) =>
  extended.filter((file) => filters.some((part) => file.includes(part)))

describe('the extended tests that a change can break', () => {
  it.each(Object.entries(AFFECTED))('are there for a change of %s', (glob, names) => {
    expect(globSync(glob)).not.toEqual([])
    const unknown = names.filter((name) => selectedBy([`test/${name}`]).length === 0)
    expect(unknown).toEqual([])
  })

  it.each<[what: string, paths: readonly string[], isSelected: readonly string[], isNot: readonly string[]]>([
    ['a page', ['src/web/object/routes.ts'], ['test/pages/every-list.test.ts'], ['test/branches/races.test.ts']],
    ['a merge', ['src/changes/merge.ts'], ['test/branches/races.test.ts'], ['test/mail/']],
    ['a test', ['test/branches/branches.test.ts'], ['test/branches/races.test.ts'], ['test/mail/']],
    ['a document', ['docs/use/branches.md'], ['test/docs/'], ['test/branches/']],
    ['a file beside a document', ['docs/use/a.md', 'bench/main.ts'], ['test/docs/', 'test/bench/'], ['test/branches/']],
  ])('are chosen for %s', (_, paths, isSelected, isNot) => {
    const selected = selectedBy(affectedTests(paths))
    const isIn = (part: string) => selected.some((file) => file.includes(part))
    expect([isSelected.map(isIn), isNot.map(isIn)]).toEqual([isSelected.map(() => true), isNot.map(() => false)])
  })

  it.each([
    ['the engine', ['src/read/query/filter.ts']],
    ['a page and the engine', ['src/web/object/routes.ts', 'src/write/save.ts']],
    ['dependencies', ['package-lock.json']],
    ['what tests share', ['test/branches/places.ts']],
    ['an unknown path', ['unknown']],
  ])('are all of them for %s', (_, paths) => {
    expect(affectedTests(paths)).toEqual([])
  })
})

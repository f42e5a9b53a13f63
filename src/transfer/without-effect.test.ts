import { expect, it } from 'vitest'
import { withoutEffect } from './without-effect.ts'

it('an import names the collections whose objects have no effect', () => {
  const imported = [
    { endpoint: 'dcim/sites', rows: 4, added: 4 },
    { endpoint: 'core/jobs', rows: 3, added: 0 },
    { endpoint: 'extras/scripts', rows: 0, added: 0 },
    { endpoint: 'core/data-sources', rows: 1, added: 1 },
  ]
  expect(withoutEffect({ imported })).toEqual([
    'core/jobs (3): they are a record: no job is run or scheduled',
    'core/data-sources (1): nothing is fetched from them',
  ])
})

import { expect, it } from 'vitest'
import { withoutEffect } from './without-effect.ts'

it('an import reports the collections whose objects have no effect', () => {
  const imported = [
    { endpoint: 'dcim/sites', rows: 4, added: 4 },
    { endpoint: 'core/jobs', rows: 3, added: 0 },
    { endpoint: 'extras/scripts', rows: 2, added: 2 },
    { endpoint: 'extras/event-rules', rows: 3, added: 3 },
  ]
  expect(withoutEffect({ imported, scriptRules: 1 })).toEqual([
    'extras/event-rules (1): rules that run a script do nothing until its file is in SCRIPTS_ROOT',
    'core/jobs (3): they are a record: none of them is run',
    'extras/scripts (2): they run once their files are in SCRIPTS_ROOT, under the same names (--scripts copies them)',
  ])
})

it('rules that call webhooks or send e-mails are not reported', () => {
  const imported = [{ endpoint: 'extras/event-rules', rows: 2, added: 2 }]
  expect(withoutEffect({ imported, scriptRules: 0 })).toEqual([])
})

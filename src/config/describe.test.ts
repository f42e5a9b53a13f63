import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeConfiguration } from './describe.ts'

it('the page of all configuration names is what the declarations say', () => {
  const page = join(import.meta.dirname, '../../docs/configuration.md')
  // npm run --silent cadastre -- configuration > docs/configuration.md
  expect(readFileSync(page, 'utf8')).toBe(describeConfiguration())
})

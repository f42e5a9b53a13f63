import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeConfiguration } from './describe.ts'
import { DECLARATIONS, type Declaration } from './settings.ts'

it('the documentation of the configuration matches the declarations', () => {
  const page = join(import.meta.dirname, '../../docs/operate/configuration.md')
  // npm run --silent cadastre -- configuration > docs/operate/configuration.md
  expect(readFileSync(page, 'utf8')).toBe(describeConfiguration())
})

it('long defaults in the documentation match the declarations', () => {
  const shown = [...describeConfiguration().matchAll(/^`(\w+)`:\n\n```json\n([^`]+)\n```/gm)]
  expect(shown.map(([, name]) => name)).toEqual(['AUTH_PASSWORD_VALIDATORS', 'DEFAULT_PERMISSIONS'])
  for (const [, name, text = ''] of shown) {
    const declaration = Object.values<Declaration<unknown>>(DECLARATIONS).find((each) => each.name === name)
    expect(declaration?.type.parse(text), name).toEqual(declaration?.default)
  }
})

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

// The pages of the API itself are in English, as the API is.
const files = globSync('src/web/**/*.ts', { cwd: ROOT }).filter(
  (file) => !/\.test\.ts$|\.client\.ts$|^src\/web\/browse\/|components-page\.ts$/.test(file),
)

/** Words between tags, and those of attributes that people read or hear. */
const PATTERNS = [
  /<(?:p|h[1-6]|a|button|li|th|td|dt|legend|summary|caption|figcaption|span|strong|label|option)\b(?:[^<>`$]|\$\{[^{}]*\})*>\s*([A-Z][a-z]+(?: [^<>`${}]*)?)</g,
  /\b(?:aria-label|placeholder|title|alt)="([A-Z][a-z][^"$]*)/g,
]

/** Names that are the same in every language. */
const NAMES: ReadonlySet<string> = new Set(['Cadastre'])

it.each(files)('the templates of %s take their words from the dictionary', (file) => {
  const source = readFileSync(join(ROOT, file), 'utf8')
  const words = PATTERNS.flatMap((pattern) => [...source.matchAll(pattern)])
  const found = words.map(([, text = '']) => text.trim()).filter((text) => !NAMES.has(text))
  expect(found).toEqual([])
})

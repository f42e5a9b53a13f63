import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

/** Templates of the API's own pages, which are English as the API is. */
const API_PAGES: ReadonlySet<string> = new Set(
  [
    'browse-page',
    'filter-form',
    'json-view',
    'object-form',
    'reference',
    'related',
    'results-table',
  ].map((name) => `src/pages/${name}.ts`),
)

const files = globSync('src/{pages,http/pages,http/sessions}/**/*.ts', { cwd: ROOT }).filter(
  (file) => !file.endsWith('.test.ts') && !file.includes('/islands/') && !API_PAGES.has(file),
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

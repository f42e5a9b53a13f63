import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { modelRegistry } from '../app/core.ts'
import { declaredTable, isDeclaredTable } from './table-names.ts'

// Cache invalidation and row-level security are correct only if a statement's fragments name all tables that it uses.

modelRegistry()

const root = join(import.meta.dirname, '../..')
/** Migrations use the tables as they are in the database; src/sql defines the fragments. */
const EXEMPT = /^src\/(db\/migrate|sql)\/|\.test\.ts$/
const sources = globSync('src/**/*.ts', { cwd: root })
  .filter((file) => !EXEMPT.test(file))
  .map((file) => ({ file, code: codeOf(readFileSync(join(root, file), 'utf8')) }))

/** The source without comments, and without the table name in a model's own definition. */
function codeOf(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').replace(/^ {2}table: '\w+',$/gm, '')
}

/** Each match as `file: text`. */
const matches = (pattern: RegExp, isWrong: (match: RegExpExecArray) => boolean): string[] =>
  sources.flatMap(({ file, code }) => [...code.matchAll(pattern)].filter(isWrong).map(([text]) => `${file}: ${text}`))

const VOLATILE = /(?<!\.)\b(?:now|random|clock_timestamp|statement_timestamp|nextval|setval|current_\w+|pg_\w+)\(/g

/** True if the innermost template before the match is not marked as volatile. */
const isUnmarked = ({ input, index }: RegExpExecArray): boolean => {
  const before = input.slice(0, index)
  return before.lastIndexOf('sql`') > before.lastIndexOf('volatile`') && /`[^`]*$/.test(before)
}

describe('a statement in the source', () => {
  it('does not name the table of a model in its text', () => {
    expect(matches(/\b[a-z]\w*_\w+\b/g, ([word]) => isDeclaredTable(word))).toEqual([])
  })

  it('does not use a table as a column', () => {
    expect(matches(/\b(?:from|join|using|into|update)\s+\$\{identifier\(/g, () => true)).toEqual([])
  })

  it('declares the tables to which it writes', () => {
    const write = /\b(?:insert\s+into|delete\s+from|update(?:\s+only)?)\s+(?:\$\{(\w+)|")/g
    expect(matches(write, ([, name]) => name !== 'systemTable')).toEqual([])
  })

  it('names tables through models and relations that exist', () => {
    const mention = /\b(?:table|insertInto|updateTable|deleteFrom)\('([\w.]+)'\)/g
    const isUnknown = ([, name = '']: RegExpExecArray): boolean => {
      try {
        return declaredTable(name) === undefined
      } catch {
        return true
      }
    }
    expect(matches(mention, isUnknown)).toEqual([])
  })

  it('is marked if its result changes by itself', () => {
    expect(matches(VOLATILE, isUnmarked)).toEqual([])
  })
})

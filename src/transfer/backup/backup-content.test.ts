import { describe, expect, it } from 'vitest'
import { parseEnd, parseManifest, writeManifest } from './backup-content.ts'

const manifest = (column: object) => ({
  program: '1',
  created: '2026-01-01T00:00:00.000Z',
  tables: {
    a: { columns: { id: { type: 'bigint', nullable: false, ...column } }, primaryKey: ['id'] },
  },
  steps: [],
  sequences: {},
  fingerprints: {},
})

describe('a manifest', () => {
  it.each(['bigint', 'text[]', 'text[][]', 'numeric(8,4)', 'timestamp with time zone'])(
    'may contain the type %s',
    (type) => {
      const written = manifest({ type })
      expect(parseManifest('b', writeManifest(written))).toMatchObject(written)
    },
  )

  it.each([{ type: 'text); drop table users_user; --' }, { type: '' }, { default: "pg_read_file('/etc/passwd')" }])(
    'may not contain %o',
    (column) => {
      expect(() => parseManifest('b', writeManifest(manifest(column)))).toThrow('a table a, which is not a table')
    },
  )

  it.each([
    { text: '{', why: 'not a backup of this program' },
    { text: '[]', why: 'not a backup of this program' },
    { text: '{"format": "cadastre backup", "version": 2, "program": "9.0"}', why: 'version 9.0' },
  ])('cannot be read from $text', ({ text, why }) => {
    expect(() => parseManifest('b', text)).toThrow(why)
  })
})

it.each(['', '{}', '{"rows": {}}', '{"rows": 1, "media": 0}'])('the end is not %s', (text) => {
  expect(() => parseEnd('b', text)).toThrow('its end cannot be read')
})

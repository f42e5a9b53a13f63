import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { databaseOver, startInMemory } from '../../src/db/pglite.ts'
import { raw, sql } from '../../src/sql/fragment.ts'
import { databaseOfTest } from '../support/database.ts'
import { type DatabaseFile, MemoryFiles } from '../support/memory-files.ts'
import { embeddedFiles } from '../support/prepared.ts'

const digestOf = (files: readonly DatabaseFile[]): string => {
  const hash = createHash('sha256')
  for (const { path, content } of files) hash.update(path).update(content ?? '')
  return hash.digest('hex')
}

it('databases in memory that start with the same files do not see one another’s writes', async () => {
  const files = await embeddedFiles('migrated')
  const before = digestOf(files)
  const open = async () => databaseOver(await startInMemory(new MemoryFiles(files)), () => undefined)
  const first = await databaseOfTest(open)
  await first.script(`
    insert into core_objecttype (app_label, model, app_name, model_name, model_name_plural, public, features)
      select 'toy', 'case', '', '', '', true, '{}' from generate_series(1, 1000);
    checkpoint`)
  const second = await databaseOfTest(open)
  const count = sql`select count(*) as count ${raw("from core_objecttype where app_label = 'toy'")}`
  expect(await first.query(count)).toEqual([{ count: 1000 }])
  expect(await second.query(count)).toEqual([{ count: 0 }])
  expect(digestOf(files)).toBe(before)
})

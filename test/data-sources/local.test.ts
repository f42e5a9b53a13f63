import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fetchLocal } from '../../src/automation/data-sources/local-source.ts'
import { writeTree } from '../support/git-repository.ts'
import { fetchAll } from './fetching.ts'

describe('a local source', () => {
  let folder: string
  let allowed: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cadastre-local-'))
    allowed = join(folder, 'allowed')
    await writeTree(folder, {
      'allowed/a.txt': 'a',
      'allowed/deep/er/b.txt': 'b',
      'allowed/.hidden/c.txt': 'c',
      'allowed/deep/.d': 'd',
      'outside/secret.txt': 'secret',
    })
  })
  afterEach(() => rm(folder, { recursive: true }))

  const fetchFrom = (url: string, limits = {}) => fetchAll(fetchLocal, { url }, { directories: [allowed], ...limits })

  it.each([
    ['a path', (path: string) => path],
    ['a URL', (path: string) => pathToFileURL(path).href],
  ])('has the files below %s, except names that begin with a dot', async (_, urlOf) => {
    const { files } = await fetchFrom(urlOf(allowed))
    expect(files).toEqual({ 'a.txt': 'a', 'deep/er/b.txt': 'b' })
  })

  it.each([
    ['another directory', () => join(folder, 'outside')],
    ['a directory above', () => join(allowed, '..', 'outside')],
    ['a directory that does not exist elsewhere', () => join(folder, 'nothing')],
    ['a directory whose name begins in the same way', () => `${allowed}-2`],
  ])('is refused for %s', async (_, path) => {
    await expect(fetchFrom(path())).rejects.toThrow(/DATA_SOURCE_DIRECTORIES/)
  })

  it('is refused if the configuration allows no directory', async () => {
    await expect(fetchFrom(allowed, { directories: [] })).rejects.toThrow(/DATA_SOURCE_DIRECTORIES/)
  })

  it('is refused if a link leads out of the allowed directory', async () => {
    await symlink(join(folder, 'outside'), join(allowed, 'way-out'))
    await expect(fetchFrom(join(allowed, 'way-out'))).rejects.toThrow(/DATA_SOURCE_DIRECTORIES/)
  })

  it('follows links to files within the allowed directory and leaves out others', async () => {
    await symlink(join(folder, 'outside', 'secret.txt'), join(allowed, 'stolen.txt'))
    await symlink(join(folder, 'outside'), join(allowed, 'stolen'))
    await symlink('a.txt', join(allowed, 'deep', 'broken.txt'))
    await symlink('../a.txt', join(allowed, 'deep', 'same.txt'))
    const { files, warnings } = await fetchFrom(allowed)
    expect(files).toEqual({ 'a.txt': 'a', 'deep/er/b.txt': 'b', 'deep/same.txt': 'a' })
    expect(warnings.map((warning) => warning.split(' ')[0]).sort()).toEqual(['deep/broken.txt', 'stolen', 'stolen.txt'])
  })

  it('is refused if a file is larger than the limit', async () => {
    await expect(fetchFrom(allowed, { fileSize: 0 })).rejects.toThrow(/a file of a data source may have 0/)
  })

  it('is refused if the directory does not exist', async () => {
    await expect(fetchFrom(join(allowed, 'nothing'))).rejects.toThrow(/does not exist/)
  })
})

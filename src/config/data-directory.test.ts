import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { dataDirectoryProblem, makeDataDirectory } from './data-directory.ts'

function directoryOfTest(): string {
  const directory = mkdtempSync(join(tmpdir(), 'cadastre-data-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

it('a directory and a name in it can be used', () => {
  const directory = directoryOfTest()
  expect(dataDirectoryProblem(directory)).toBeUndefined()
  expect(dataDirectoryProblem(join(directory, 'a/b'))).toBeUndefined()
  expect(existsSync(join(directory, 'a'))).toBe(false)
})

it('missing parent directories are created', () => {
  const directory = join(directoryOfTest(), 'a/b')
  makeDataDirectory(directory)
  makeDataDirectory(directory)
  expect(existsSync(directory)).toBe(true)
})

it('a file where the directory or one of its parents should be is reported by name', () => {
  const file = join(directoryOfTest(), 'file')
  writeFileSync(file, '')
  expect(dataDirectoryProblem(file)).toBe(`DATA_DIR cannot be used: ${file} is not a directory.`)
  expect(dataDirectoryProblem(join(file, 'a/b'))).toBe(
    `DATA_DIR cannot be used: ${join(file, 'a/b')} cannot be made (${file} is not a directory).`,
  )
})

// Root may do everything.
it.skipIf(process.getuid?.() === 0)('a directory without write permission is named', () => {
  const directory = directoryOfTest()
  chmodSync(directory, 0o500)
  const why = `${directory} cannot be written by this user`
  expect(dataDirectoryProblem(directory)).toBe(`DATA_DIR cannot be used: ${why}.`)
  expect(dataDirectoryProblem(join(directory, 'a'))).toBe(
    `DATA_DIR cannot be used: ${join(directory, 'a')} cannot be made (${why}).`,
  )
})

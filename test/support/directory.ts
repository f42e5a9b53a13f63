import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'

/** A new directory that is removed when the current test ends. */
export function directoryOfTest(): string {
  const directory = mkdtempSync(join(tmpdir(), 'cadastre-test-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** A new directory that is removed at the end of the run. */
export const directoryOfRun = (): string => mkdtempSync(join(inject('runDirectory'), 'test-'))

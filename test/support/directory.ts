import { existsSync, linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
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

/**
 * A data directory for the run, with the snapshots of Python that services of the run have made so far: each takes
 * seconds of processor time. `share` passes those of this service on.
 */
export function dataDirectoryOfRun(): { readonly directory: string; share(): void } {
  const directory = directoryOfRun()
  const [cache, cacheOfRun] = [join(directory, 'cache'), join(inject('runDirectory'), 'cache')]
  linkSnapshots(cacheOfRun, cache)
  return { directory, share: () => linkSnapshots(cache, cacheOfRun) }
}

/** The same files under a second name: the service does not trust links. */
function linkSnapshots(from: string, to: string): void {
  if (!existsSync(from)) return
  mkdirSync(to, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(from)) {
    if (!name.endsWith('.snapshot')) continue
    try {
      linkSync(join(from, name), join(to, name))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

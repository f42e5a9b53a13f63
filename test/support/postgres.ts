import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** postgres://… of the server that the whole run shares, ending in the database `postgres`. */
    postgresUrl: string
    /** A directory of the run for what its workers make once and share. */
    preparedDirectory: string
  }
}

/** Called by vitest once before all tests (see vitest.config.ts); what it returns is called after them. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres()
  provide('postgresUrl', server.url)
  const preparedDirectory = mkdtempSync(join(tmpdir(), 'cadastre-prepared-'))
  provide('preparedDirectory', preparedDirectory)
  return async () => {
    await server.stop()
    rmSync(preparedDirectory, { recursive: true, force: true })
  }
}

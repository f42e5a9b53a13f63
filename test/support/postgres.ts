import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { atExit } from './at-exit.ts'
import { memoryDirectory } from './memory-directory.ts'
import { type PostgresServer, startPostgres, UNSAFE } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Endpoint that starts the run's PostgreSQL server at the first request, and returns its URL. */
    postgresStarter: string
    /** A directory for temporary files, removed at the end of the run. */
    runDirectory: string
  }
}

/** Called by vitest once before all tests (see vitest.config.ts); the returned function is called after them. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const runDirectory = mkdtempSync(join(tmpdir(), 'cadastre-run-'))
  const remove = () => rmSync(runDirectory, { recursive: true, force: true })
  const emergency = atExit(remove)
  const starter = await listenForFirstUse()
  provide('postgresStarter', starter.url)
  provide('runDirectory', runDirectory)
  return async () => {
    await starter.close()
    emergency.callOff()
    remove()
  }
}

/** Most runs of a single file need no server, which takes a second to start. */
async function listenForFirstUse() {
  let started: Promise<PostgresServer> | undefined
  const server = createServer((_, response) => {
    started ??= startPostgres(UNSAFE, memoryDirectory())
    started.then(
      ({ url }) => response.end(url),
      (error) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No free port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await started?.then(({ stop }) => stop()).catch(() => undefined)
    },
  }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { memoryDirectory } from './memory-directory.ts'
import { startPostgres, UNSAFE } from './postgres-server.ts'

// Runs a command with a PostgreSQL server that runs as long as the command. `{postgres}` in an argument becomes the
// server's URL:   node test/support/with-postgres.ts npm run conformance -- --database-url {postgres}

const [command, ...args] = process.argv.slice(2)
if (command === undefined) throw new Error('Which command?')

const server = await startPostgres(UNSAFE, memoryDirectory())
try {
  const child = spawn(
    command,
    args.map((argument) => argument.replace('{postgres}', server.url)),
    { stdio: 'inherit' },
  )
  const [code] = await once(child, 'exit')
  process.exitCode = typeof code === 'number' ? code : 1
} finally {
  await server.stop()
}

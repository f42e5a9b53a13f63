import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Command } from 'commander'
import { ConfigurationError, codeOf } from '../base/errors.ts'
import { readSettings, type Settings } from '../config/settings.ts'
import { clusterDirectory } from '../db/embedded/cluster-directory.ts'
import { useEmbeddedServer } from '../db/embedded/embedded-server.ts'
import { requireDatabase } from './chosen-database.ts'

/** Opens PostgreSQL's own shell on the database. */
export const psqlCommand = new Command('psql')
  .description('Open psql, the shell of PostgreSQL, on the database.')
  .argument('[arguments...]', 'arguments of psql, after --: cadastre psql -- -c "select version()"')
  .action(async (args: readonly string[]) => {
    const settings = readSettings(process.env)
    requireDatabase(settings)
    const { url, release } = await serverOf(settings)
    try {
      process.exitCode = await runPsql(url, args, placeOf(settings))
    } finally {
      await release()
    }
  })

const serverOf = async (settings: Settings): ReturnType<typeof useEmbeddedServer> =>
  settings.databaseUrl === undefined
    ? await useEmbeddedServer(settings, { role: 'command', warn: (sentence) => console.error(sentence) })
    : { url: settings.databaseUrl, release: async () => undefined }

/** How other programs on this machine reach the database. */
const placeOf = ({ databaseUrl, dataDir }: Settings): string =>
  databaseUrl === undefined
    ? `while the service runs, user cadastre, database postgres, socket in ${clusterDirectory(dataDir)}`
    : 'that of DATABASE_URL'

/** The exit status of psql. Its password is passed in the environment, since all users see the arguments of a process. */
async function runPsql(url: string, args: readonly string[], where: string): Promise<number> {
  const address = new URL(url)
  const password = decodeURIComponent(address.password)
  address.password = ''
  // Ctrl+C cancels a statement of psql, and must not end this process, which may keep the server running.
  process.on('SIGINT', () => undefined)
  const child = spawn('psql', [address.href, ...args], {
    env: { ...process.env, ...(password !== '' && { PGPASSWORD: password }) },
    stdio: 'inherit',
  })
  try {
    const [code] = await once(child, 'exit')
    return typeof code === 'number' ? code : 1
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    throw new ConfigurationError(
      `psql is not installed: install the client of PostgreSQL (on Debian, postgresql-client), or open the database with another program: ${where}.`,
    )
  }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atExit } from '../test/support/at-exit.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { type Filling, fill } from './servers/fill.ts'
import { POSTGRES_SETTINGS, type Storage } from './servers/own-server.ts'

type Environment = Readonly<Record<string, string>>

/** Times of `cadastre apply` with the documents of a whole inventory, in milliseconds from start to end of the command. */
export interface AppliedTwice {
  /** Into tables without objects. */
  readonly first: number
  /** Once more, with nothing to change. */
  readonly second: number
  /** The last line of each run. */
  readonly summaries: readonly string[]
}

/** Exports an inventory as documents and applies them twice to another database. */
export async function applyTwice(storage: Storage, filling: Filling): Promise<AppliedTwice> {
  const directory = mkdtempSync(join(tmpdir(), 'cadastre-bench-'))
  const remove = () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  const emergency = atExit(remove)
  const postgres = storage === 'postgres' ? await startPostgres(POSTGRES_SETTINGS) : undefined
  const embedded = (name: string): Environment => ({
    DATA_DIR: join(directory, name),
    // Blank, so that a database in the environment is never used.
    DATABASE_URL: '',
  })
  try {
    const source = embedded('source')
    const documents = join(directory, 'documents')
    await fill(filling, source)
    await run(source, ['export', '--format=apply', documents])
    const target = { ...embedded('target'), DATABASE_URL: postgres?.socketUrl ?? '' }
    // The tables are not part of the first run.
    const nothing = join(directory, 'nothing.yaml')
    writeFileSync(nothing, 'objects: {}')
    await run(target, ['apply', nothing])
    const first = await run(target, ['apply', documents])
    const second = await run(target, ['apply', documents])
    return {
      ...{ first: first.time, second: second.time },
      summaries: [first, second].map(({ output }) => output.trimEnd().split('\n').at(-1) ?? ''),
    }
  } finally {
    await postgres?.stop()
    emergency.callOff()
    remove()
  }
}

/** Runs a command of the program. Throws where it fails. */
async function run(
  environment: Environment,
  command: readonly string[],
): Promise<{ readonly time: number; readonly output: string }> {
  const start = performance.now()
  const child = spawn(process.execPath, ['src/cli/main.ts', ...command], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const emergency = atExit(() => child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  const [code] = await once(child, 'close')
  emergency.callOff()
  if (code !== 0) throw new Error(`The command failed: ${command.join(' ')}`)
  return { time: performance.now() - start, output }
}

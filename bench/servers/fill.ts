import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { atExit } from '../../test/support/at-exit.ts'

/** Data for a server of our own. */
export type Filling =
  | { readonly kind: 'import'; readonly directory: string }
  /** Options of `npm run generate`: `--devices`, `1000`, … */
  | { readonly kind: 'generate'; readonly options: readonly string[] }
  | { readonly kind: 'empty' }

/** Fills the configured database in a separate process. Throws when that fails. */
export async function fill(
  filling: Filling,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  if (filling.kind === 'empty') return
  const command =
    filling.kind === 'import'
      ? ['src/cli/main.ts', 'import', filling.directory]
      : ['bench/generate.ts', ...filling.options]
  const child = spawn(process.execPath, command, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const emergency = atExit(() => child.kill('SIGKILL'))
  const [code] = await once(child, 'exit')
  emergency.callOff()
  if (code !== 0) throw new Error(`The data could not be made: ${command.join(' ')}`)
}

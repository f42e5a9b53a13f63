import { execFileSync } from 'node:child_process'

/** What a server of ours is filled with. */
export type Filling =
  | { readonly kind: 'import'; readonly directory: string }
  /** Options of `cadastre generate`: `--devices`, `1000`, … */
  | { readonly kind: 'generate'; readonly options: readonly string[] }

/** Fills the database that the environment names, in a process of its own. */
export function fill(filling: Filling, environment: Readonly<Record<string, string>>): void {
  const command =
    filling.kind === 'import' ? ['import', filling.directory] : ['generate', ...filling.options]
  execFileSync(process.execPath, ['src/cli/main.ts', ...command], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'

// Writes dist/, the form of the program that `npm pack` packs: src/ compiled, with the files that it reads, and packs/.

const root = dirname(import.meta.dirname)
const dist = join(root, 'dist')

rmSync(dist, { recursive: true, force: true })
const { status } = spawnSync('tsc', ['--project', 'tsconfig.package.json'], {
  cwd: root,
  // Standard output belongs to npm, which prints the name of the package there.
  stdio: ['ignore', 2, 2],
  shell: process.platform === 'win32',
})
if (status !== 0) process.exit(1)
const files = globSync('**/*.*', { cwd: join(root, 'src'), exclude: ['**/*.ts'] })
const scripts = globSync('web/*/*.client.ts', { cwd: join(root, 'src') })
for (const path of [...files, ...scripts]) {
  cpSync(join(root, 'src', path), join(dist, path))
}
for (const path of globSync('*/{pack.yaml,*.ts}', { cwd: join(root, 'packs') })) {
  const to = join(dist, 'packs', path.replace(/\.ts$/, '.js'))
  const text = readFileSync(join(root, 'packs', path), 'utf8')
  mkdirSync(dirname(to), { recursive: true })
  const imports = /(from '\.\/[\w-]+)\.ts'/g
  writeFileSync(to, path.endsWith('.ts') ? stripTypeScriptTypes(text).replaceAll(imports, "$1.js'") : text)
}

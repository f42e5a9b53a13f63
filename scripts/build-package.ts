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
const packs = join(root, 'packs')
for (const path of globSync('*/*.*', { cwd: packs, exclude: ['**/*.test.ts'] })) {
  const to = join(dist, 'packs', path)
  mkdirSync(dirname(to), { recursive: true })
  // Scripts for browsers are read as they are, and some are also used by the pages.
  if (!path.endsWith('.ts') || path.endsWith('.client.ts')) cpSync(join(packs, path), to)
  if (path.endsWith('.ts')) writeFileSync(to.replace(/\.ts$/, '.js'), compiled(readFileSync(join(packs, path), 'utf8')))
}

/** The module without types, whose imports name the compiled files. */
function compiled(text: string): string {
  return stripTypeScriptTypes(text).replace(/((?:from |import\()'\.[^']+)\.ts'/g, "$1.js'")
}

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pythonFiles } from './python-files.ts'

/** Digest of everything that a snapshot depends on: Node, Pyodide, and the files that Python imports. */
export function versionOfSnapshots(): string {
  const pyodide = createRequire(import.meta.url).resolve('pyodide/package.json')
  const hash = createHash('sha256').update(`${process.version} ${process.arch}`)
  for (const content of [readFileSync(pyodide), ...pythonFiles().map(([, content]) => content)]) {
    hash.update(createHash('sha256').update(content).digest())
  }
  return hash.digest('hex').slice(0, 16)
}

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { objectsIn } from '../../schema/json.ts'
import type { Service } from '../../service.ts'
import { startScriptProcess } from './python-process.ts'
import { pythonText } from './python-text.ts'

/** Something in a file of scripts that cannot run here. */
interface ScriptProblem {
  readonly line: number
  readonly text: string
}

/** Milliseconds in which the files have to be read. */
const LIMITS = { processor: 60_000, clock: 120_000 }

/**
 * What in the Python files below a directory cannot run here, by their paths in it; nothing of them is executed. Throws
 * if the directory cannot be read.
 */
export async function checkScripts(
  service: Pick<Service, 'registry' | 'settings'>,
  directory: string,
): Promise<ReadonlyMap<string, readonly ScriptProblem[]>> {
  const paths = (await readdir(directory, { recursive: true })).filter((path) => path.endsWith('.py')).sort()
  const sources = await Promise.all(paths.map(async (path) => await pythonText(join(directory, path))))
  const files = Object.fromEntries(paths.map((path, index) => [path, sources[index] ?? '']))
  const process = await startScriptProcess(service, AbortSignal.timeout(LIMITS.clock))
  try {
    const { problems } = await process.run({ job: 'check', files }, async () => null, LIMITS)
    const byPath = new Map(Object.entries(problems ?? {}))
    return new Map(
      paths.map((path) => [
        path,
        objectsIn(byPath.get(path) ?? null).map(({ line, text }) => ({ line: Number(line), text: String(text) })),
      ]),
    )
  } finally {
    process.kill()
  }
}

import { ignoredPaths } from '../../src/automation/data-sources/ignore-rules.ts'
import type { FetchedSource, FetchFiles, FetchLimits } from '../../src/automation/data-sources/source-file.ts'

export const LIMITS: FetchLimits = {
  directories: [],
  networks: ['127.0.0.0/8'],
  fileSize: 1_000_000,
  totalSize: 10_000_000,
  files: 1_000,
}

/** Files of a source as text, by path, and the warnings of its log. */
export async function fetchAll(
  fetchFiles: FetchFiles,
  source: Partial<FetchedSource> & Pick<FetchedSource, 'url'>,
  limits: Partial<FetchLimits> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<{ readonly files: Readonly<Record<string, string>>; readonly warnings: string[] }> {
  const warnings: string[] = []
  const silent = () => undefined
  const files: Record<string, string> = {}
  const found = fetchFiles({
    source: { parameters: {}, ...source },
    limits: { ...LIMITS, ...limits },
    ignores: ignoredPaths(''),
    log: {
      debug: silent,
      info: silent,
      error: silent,
      warning: (message) => void warnings.push(message),
    },
    signal,
  })
  for await (const { path, read } of found) files[path] = Buffer.from(await read()).toString('utf8')
  return { files, warnings }
}

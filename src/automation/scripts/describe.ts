import { statSync } from 'node:fs'
import type { Json } from '../../schema/json.ts'
import type { Service } from '../../service.ts'
import { readDeclarations, type ScriptDeclaration } from './declaration.ts'
import { PythonDescriber } from './python-run.ts'

/** The scripts of one version of a file. */
export interface DescribedFile {
  /** `fileVersion` of the file. */
  readonly version: string
  readonly scripts: readonly ScriptDeclaration[]
}

/** The scripts of files by their paths. */
const described = new Map<string, DescribedFile>()

/** The scripts in the present version of a file. Throws an Error with the reason if the file cannot be loaded. */
export const declarationsOf = async (service: Service, file: string): Promise<readonly ScriptDeclaration[]> =>
  (await describedFile(service, file)).scripts

/** As `declarationsOf`, with the version that has these scripts. `describer` is that of several files. */
export async function describedFile(
  service: Service,
  file: string,
  describer?: PythonDescriber,
): Promise<DescribedFile> {
  const version = fileVersion(file)
  const cached = described.get(file)
  if (cached?.version === version) return cached
  const scripts = readDeclarations(await (describer ? describer.describe(file) : describeAlone(service, file)))
  const current = { version, scripts }
  described.set(file, current)
  return current
}

async function describeAlone(service: Service, file: string): Promise<Json> {
  const describer = new PythonDescriber(service)
  try {
    return await describer.describe(file)
  } finally {
    describer.close()
  }
}

/** A text that changes when the file is written. */
export function fileVersion(file: string): string {
  const { mtimeMs, size } = statSync(file)
  return `${mtimeMs} ${size}`
}

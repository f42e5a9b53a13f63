import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loadSecrets, type Secrets } from '../config/secrets.ts'
import type { Settings } from '../config/settings.ts'

/** File of the secrets that the environment does not give; undefined where nothing is kept. */
export const secretsFile = (dataDir: string): string | undefined =>
  dataDir === 'memory://' ? undefined : join(dataDir, 'secrets.json')

/** The service's secrets; undefined when it has none yet, which reading them would make up. */
export function knownSecrets(settings: Settings): Secrets | undefined {
  const isGiven = settings.secretKey !== undefined && settings.apiTokenPeppers !== undefined
  const file = secretsFile(settings.dataDir)
  const isKept = file !== undefined && existsSync(file)
  return isGiven || isKept ? loadSecrets(settings, () => undefined) : undefined
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loadSecrets, type Secrets } from '../../config/secrets.ts'
import type { Settings } from '../../config/settings.ts'

/** Path of the file with secrets that the environment does not provide; undefined for a database in memory. */
export const secretsFile = (dataDir: string): string | undefined =>
  dataDir === 'memory://' ? undefined : join(dataDir, 'secrets.json')

/** The service's secrets; undefined if there are none yet (loadSecrets would generate them). */
export function existingSecrets(settings: Settings): Secrets | undefined {
  const isGiven = settings.secretKey !== undefined && settings.apiTokenPeppers !== undefined
  const file = secretsFile(settings.dataDir)
  const isKept = file !== undefined && existsSync(file)
  return isGiven || isKept ? loadSecrets(settings, () => undefined) : undefined
}

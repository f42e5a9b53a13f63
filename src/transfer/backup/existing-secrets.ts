import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loadSecrets, type Secrets } from '../../config/secrets.ts'
import type { Settings } from '../../config/settings.ts'

/** Path of the file with secrets that the environment does not provide. */
export const secretsFile = (dataDir: string): string => join(dataDir, 'secrets.json')

/** The service's secrets; undefined if there are none yet (loadSecrets would generate them). */
export function existingSecrets(settings: Settings): Secrets | undefined {
  const isGiven = settings.secretKey !== undefined && settings.apiTokenPeppers !== undefined
  return isGiven || existsSync(secretsFile(settings.dataDir)) ? loadSecrets(settings, () => undefined) : undefined
}

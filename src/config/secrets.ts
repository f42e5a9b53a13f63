import { hkdfSync, randomBytes } from 'node:crypto'
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ConfigurationError, codeOf } from '../base/errors.ts'
import { makeDataDirectory } from './data-directory.ts'
import type { Settings } from './settings.ts'

/**
 * Secrets that are not stored in the database, so that a copy of the database alone is not enough to use its tokens.
 */
export interface Secrets {
  /** Signs sessions. */
  readonly secretKey: string
  /** 32 bytes for AES-256, derived from the secret key. */
  readonly encryptionKey: Uint8Array
  /** By number; the highest digests new tokens. Never empty. */
  readonly peppers: ReadonlyMap<number, string>
}

/** Content of secrets.json: values that the environment did not provide when they were first needed. */
interface StoredSecrets {
  secretKey?: string
  apiTokenPepper1?: string
}

type SecretSettings = Pick<Settings, 'dataDir' | 'secretKey' | 'apiTokenPeppers'>

/**
 * Secrets from the environment, otherwise from DATA_DIR/secrets.json. The file is created only when it is needed and
 * missing, readable only by its owner. `warn` receives a sentence if other users may read the file. Throws
 * ConfigurationError for a file that is damaged or unreadable.
 */
export function loadSecrets(settings: SecretSettings, warn: (sentence: string) => void): Secrets {
  const path = join(settings.dataDir, 'secrets.json')
  const stored = readStored(path, warn)
  const before = JSON.stringify(stored)
  const configured = Object.entries(settings.apiTokenPeppers ?? {})
  if (settings.secretKey === undefined) stored.secretKey ??= generate()
  if (configured.length === 0) stored.apiTokenPepper1 ??= generate()
  if (JSON.stringify(stored) !== before) writeStored(path, stored)

  const secretKey = settings.secretKey ?? stored.secretKey ?? ''
  // The generated pepper stays valid alongside those of the environment, because existing tokens were created with it.
  const peppers = new Map(stored.apiTokenPepper1 === undefined ? [] : [[1, stored.apiTokenPepper1]])
  for (const [number, pepper] of configured) peppers.set(Number(number), pepper)
  return { secretKey, encryptionKey: deriveKey(secretKey, 'cadastre encryption'), peppers }
}

/** 64 characters with 384 random bits. */
const generate = (): string => randomBytes(48).toString('base64url')

const deriveKey = (secret: string, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32))

const MISSING: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR'])

function readStored(path: string, warn: (sentence: string) => void): StoredSecrets {
  let content: string
  try {
    content = readFileSync(path, 'utf8')
  } catch (error) {
    // If the directory cannot be created, the later write fails with a better error.
    if (MISSING.has(codeOf(error))) return {}
    throw new ConfigurationError(`${path} cannot be read: ${String(error)}`)
  }
  // Windows has no such modes and reports every file as readable by all.
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) {
    warn(`Other users of this machine may read ${path}: run chmod 600 on it.`)
  }
  const stored = parseStored(content)
  if (stored === undefined) {
    throw new ConfigurationError(`${path} is damaged: restore it, or set SECRET_KEY and API_TOKEN_PEPPERS.`)
  }
  return stored
}

function parseStored(content: string): StoredSecrets | undefined {
  try {
    const value: unknown = JSON.parse(content)
    if (typeof value !== 'object' || value === null) return undefined
    const { secretKey, apiTokenPepper1 }: Record<string, unknown> = { ...value }
    return {
      ...(typeof secretKey === 'string' && { secretKey }),
      ...(typeof apiTokenPepper1 === 'string' && { apiTokenPepper1 }),
    }
  } catch {
    return undefined
  }
}

/** Writes a new file and renames it, so that a crash leaves either the old content or the new one. */
function writeStored(path: string, stored: StoredSecrets): void {
  makeDataDirectory(dirname(path))
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(draft, path)
}

import { hkdfSync, randomBytes } from 'node:crypto'
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ConfigurationError } from '../errors.ts'
import { makeDataDirectory } from './data-directory.ts'
import type { Settings } from './settings.ts'

/** What must not lie in the database: a copy of that alone gives nothing away. */
export interface Secrets {
  /** Signs sessions. */
  readonly secretKey: string
  /** 32 bytes for AES-256, derived from the secret key. */
  readonly encryptionKey: Uint8Array
  /** By number; the highest digests new tokens. Never empty. */
  readonly peppers: ReadonlyMap<number, string>
}

/** Content of secrets.json: what the environment did not give when it was first needed. */
interface Kept {
  secretKey?: string
  apiTokenPepper1?: string
}

type SecretSettings = Pick<Settings, 'dataDir' | 'secretKey' | 'apiTokenPeppers'>

/**
 * The secrets from the environment or else from DATA_DIR/secrets.json, which is made, for its owner
 * alone, when it is needed and missing. `warn` gets a sentence when others may read it. Throws
 * ConfigurationError for a file that is damaged or cannot be read.
 */
export function loadSecrets(settings: SecretSettings, warn: (sentence: string) => void): Secrets {
  const path = settings.dataDir === 'memory://' ? undefined : join(settings.dataDir, 'secrets.json')
  const kept = path === undefined ? {} : readKept(path, warn)
  const before = JSON.stringify(kept)
  const given = Object.entries(settings.apiTokenPeppers ?? {})
  if (settings.secretKey === undefined) kept.secretKey ??= generate()
  if (given.length === 0) kept.apiTokenPepper1 ??= generate()
  if (path !== undefined && JSON.stringify(kept) !== before) writeKept(path, kept)

  const secretKey = settings.secretKey ?? kept.secretKey ?? ''
  // The generated pepper stays valid beside those of the environment: tokens were made with it.
  const peppers = new Map(kept.apiTokenPepper1 === undefined ? [] : [[1, kept.apiTokenPepper1]])
  for (const [number, pepper] of given) peppers.set(Number(number), pepper)
  return { secretKey, encryptionKey: deriveKey(secretKey, 'cadastre encryption'), peppers }
}

/** 64 characters, of 384 bits of chance. */
const generate = (): string => randomBytes(48).toString('base64url')

const deriveKey = (secret: string, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32))

const MISSING: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR'])

function readKept(path: string, warn: (sentence: string) => void): Kept {
  let content: string
  try {
    content = readFileSync(path, 'utf8')
  } catch (error) {
    // Of a directory that cannot be made the attempt to write says more.
    if (error instanceof Error && 'code' in error && MISSING.has(error.code)) return {}
    throw new ConfigurationError(`${path} cannot be read: ${String(error)}`)
  }
  // Windows has no such modes and reports every file as open to all.
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) {
    warn(`Others on this machine may read ${path}: run chmod 600 on it.`)
  }
  const kept = parseKept(content)
  if (kept === undefined) {
    throw new ConfigurationError(
      `${path} is damaged: restore it, or set SECRET_KEY and API_TOKEN_PEPPERS.`,
    )
  }
  return kept
}

function parseKept(content: string): Kept | undefined {
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

/** Writes beside and renames, so that a crash leaves the old file or the new one, never half of it. */
function writeKept(path: string, kept: Kept): void {
  makeDataDirectory(dirname(path))
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(draft, path)
}

import type { FastifyBaseLogger } from 'fastify'
import type { Settings } from '../../config/settings.ts'
import type { Observer } from './observe.ts'
import { safeUrl } from './safe-url.ts'

/** What the log takes in, by its own level. */
const WRITTEN: Readonly<Record<string, readonly ('trace' | 'debug' | 'info' | 'warn')[]>> = {
  trace: ['trace', 'debug', 'info', 'warn'],
  debug: ['debug', 'info', 'warn'],
  info: ['info', 'warn'],
  warn: ['warn'],
}

/**
 * Writes a line for each request; mistakes of ours as errors, whatever the level of the others is.
 * Undefined where nothing is logged at all.
 */
export function requestLog(
  logger: FastifyBaseLogger,
  { requestLogLevel, logLevel }: Settings,
): Observer | undefined {
  if (logLevel === 'silent') return undefined
  const written = WRITTEN[logLevel] ?? []
  const ordinary = written.find((severity) => severity === requestLogLevel)
  return ({ id, method, url, pattern, status, milliseconds, user, address }) => {
    const severity = status >= 500 ? 'error' : ordinary
    if (severity === undefined) return
    if (status < 400 && isProbe(pattern) && !written.includes('debug')) return
    logger[severity](
      {
        request: id,
        method,
        url: safeUrl(url),
        status,
        ms: Math.round(milliseconds * 100) / 100,
        ...(user !== undefined && { user }),
        address,
      },
      'request',
    )
  }
}

/** Supervisors ask every few seconds, and nobody wants to read of it. */
const isProbe = (pattern = ''): boolean => pattern === '/metrics' || pattern.startsWith('/health/')

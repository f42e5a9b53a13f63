import type { FastifyBaseLogger } from 'fastify'
import type { Settings } from '../../config/settings.ts'
import type { Observer } from './observe.ts'
import { safeUrl } from './safe-url.ts'

/** Levels that are written at each configured level. */
const WRITTEN: Readonly<Record<string, readonly ('trace' | 'debug' | 'info' | 'warn')[]>> = {
  trace: ['trace', 'debug', 'info', 'warn'],
  debug: ['debug', 'info', 'warn'],
  info: ['info', 'warn'],
  warn: ['warn'],
}

/**
 * Observer that logs a line per request; internal errors are logged as errors, whatever the level of the others.
 * Undefined if logging is disabled.
 */
export function requestLog(logger: FastifyBaseLogger, { requestLogLevel, logLevel }: Settings): Observer | undefined {
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

/** Health checks and scrapes repeat every few seconds and would fill the log. */
export const isProbe = (pattern = ''): boolean => pattern === '/metrics' || pattern.startsWith('/health/')

import { type Logger, pino } from 'pino'
import type { Settings } from '../config/settings.ts'

/** Bytes that are gathered before they are written, and milliseconds after which they are anyway. */
const BUFFER = 4_096
const FLUSH = 500

/**
 * The log of the service: a JSON object per line to standard output. Lines are written in bundles,
 * because one system call for each would be a third of the cost of a short answer; they all are at the
 * end of the process. Nothing is logged as a whole that carries secrets, requests least of all.
 */
export const createLogger = ({ logLevel }: Pick<Settings, 'logLevel'>): Logger =>
  pino(
    { level: logLevel },
    pino.destination({ sync: false, minLength: BUFFER, periodicFlush: FLUSH }),
  )

import { type Logger, pino } from 'pino'
import type { Settings } from '../config/settings.ts'

/** Bytes that are collected before a write, and milliseconds after which they are written anyway. */
const BUFFER = 4_096
const FLUSH = 500

/**
 * The log of the service: one JSON object per line on standard output. Lines are written in batches, because one system
 * call per line would be a third of the cost of a short response; all are written before the process ends. Objects that
 * may contain secrets, above all requests, are never logged as a whole.
 */
export const createLogger = ({ logLevel }: Pick<Settings, 'logLevel'>): Logger =>
  pino({ level: logLevel }, pino.destination({ sync: false, minLength: BUFFER, periodicFlush: FLUSH }))

import { type Logger, pino } from 'pino'
import type { Settings } from '../config/settings.ts'
import { isJsonObject } from '../schema/json.ts'

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

/** The log for a person who starts the service in a terminal: warnings and errors as sentences, and nothing else. */
export function createTerminalLogger(): Logger {
  const write = (line: string): void => void process.stderr.write(`${sentenceOf(line)}\n`)
  return pino({ level: 'warn' }, { write })
}

/** Pino's number for errors; those above are fatal. */
const ERROR = 50

/** The message of a line, with that of its error. */
function sentenceOf(line: string): string {
  const entry: unknown = JSON.parse(line)
  if (!isJsonObject(entry)) return line
  const { level, msg, err } = entry
  const reason = isJsonObject(err) ? String(err.stack ?? err.message) : undefined
  const kind = Number(level) >= ERROR ? 'Error' : 'Warning'
  return [`${kind}: ${msg ?? ''}`, ...(reason === undefined || reason === msg ? [] : [reason])].join('\n')
}

import { isIP } from 'node:net'
import { bucketOf, isBucket } from '../base/s3.ts'

/** The type of a configuration value. `parse` returns undefined for text that it refuses. */
export interface ValueType<T> {
  /** Completes the sentence "… must be": "a whole number from 1 to 65535". */
  readonly expects: string
  readonly parse: (text: string) => T | undefined
  /** All values, if they are a few words. */
  readonly options?: readonly string[]
}

export const textValue: ValueType<string> = { expects: 'text', parse: (text) => text }

/** Text that matches a pattern from start to end. */
export const textLike = (pattern: RegExp, expects: string): ValueType<string> => ({
  expects,
  parse: (text) => (pattern.test(text) ? text : undefined),
})

export const oneOf = <const T extends string>(...allowed: readonly T[]): ValueType<T> => ({
  expects: `one of ${allowed.join(', ')}`,
  parse: (text) => allowed.find((value) => value === text.toLowerCase()),
  options: allowed,
})

const YES: ReadonlySet<string> = new Set(['true', '1', 'yes', 'on'])
const NO: ReadonlySet<string> = new Set(['false', '0', 'no', 'off'])

export const flag: ValueType<boolean> = {
  expects: 'true or false',
  parse: (text) => {
    const word = text.toLowerCase()
    if (YES.has(word)) return true
    return NO.has(word) ? false : undefined
  },
}

/** A whole number within the bounds, both included. */
export const wholeNumberValue = (least: number, most: number): ValueType<number> => ({
  expects: `a whole number from ${least} to ${most}`,
  parse: (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    return value >= least && value <= most ? value : undefined
  },
})

/** Path in front of every URL: empty, or with a leading and no trailing slash. */
export const urlPath: ValueType<string> = {
  expects: 'a path of letters, digits, dots, hyphens and underscores, such as inventory/',
  parse: (text) => {
    const path = text.replace(/^\/+|\/+$/g, '')
    if (path === '') return ''
    return /^[\w.~-]+(\/[\w.~-]+)*$/.test(path) ? `/${path}` : undefined
  },
}

/** Words separated by commas, or a JSON list of strings. */
export const words: ValueType<readonly string[]> = {
  expects: 'words separated by commas, or a JSON list of strings',
  parse: (text) => {
    if (!text.startsWith('[')) {
      return text
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== '')
    }
    const list = parseJsonSetting(text)
    return Array.isArray(list) && list.every((word) => typeof word === 'string') ? list : undefined
  },
}

/** Times at which something happens: at a fixed interval in minutes, or at these minutes of each day in UTC. */
export interface Schedule {
  readonly everyMinutes?: number
  readonly minutesOfDay: readonly number[]
}

const UNITS: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1_440 }

/** `02:30,14:30` or `6h`. */
export const schedule: ValueType<Schedule> = {
  expects: 'times of the day in UTC, such as 02:30 or 02:30,14:30, or an interval, such as 30m, 6h or 7d',
  parse: (text) => {
    const [, count, unit = ''] = /^([1-9]\d{0,3})([mhd])$/.exec(text) ?? []
    if (count !== undefined) return { everyMinutes: Number(count) * (UNITS[unit] ?? 1), minutesOfDay: [] }
    const times = text.split(',').map((time) => /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time.trim()))
    const minutesOfDay = times.flatMap((time) => (time ? [Number(time[1]) * 60 + Number(time[2])] : []))
    return minutesOfDay.length === times.length ? { minutesOfDay } : undefined
  },
}

const SERVER_URL = /^postgres(ql)?:\/\/./

/** IANA name of a time zone. */
export const timeZoneName: ValueType<string> = {
  expects: 'the name of a time zone, such as Europe/Berlin',
  parse: (text) => {
    try {
      // Intl also accepts offsets, which are not names.
      return /^[A-Za-z]/.test(text)
        ? new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
        : undefined
    } catch {
      return undefined
    }
  },
}

/** URL of a PostgreSQL server. */
export const serverUrl = textLike(SERVER_URL, 'a URL that begins with postgres://')

/** URLs of PostgreSQL servers. */
export const serverUrlList: ValueType<readonly string[]> = {
  expects: 'URLs that begin with postgres://, separated by commas',
  parse: (text) => {
    const list = words.parse(text)
    return list?.every((url) => SERVER_URL.test(url)) ? list : undefined
  },
}

/** False trusts no proxy, true trusts every sender; or the addresses and networks of the proxies. */
export const trust: ValueType<boolean | readonly string[]> = {
  expects: 'true, false, or addresses separated by commas',
  parse: (text) => flag.parse(text) ?? addresses(text),
}

function addresses(text: string): readonly string[] | undefined {
  const list = words.parse(text)
  return list?.every((word) => /^[\da-f.:]+(\/\d{1,3})?$/i.test(word)) ? list : undefined
}

/** Networks, or single addresses. */
export const networks: ValueType<readonly string[]> = {
  expects: 'networks separated by commas, such as 10.0.0.0/8, fd00::/8',
  parse: (text) => {
    const list = words.parse(text)
    return list?.every(isNetwork) ? list : undefined
  },
}

function isNetwork(text: string): boolean {
  const [, address = '', length = '0'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const family = isIP(address)
  return family !== 0 && !address.includes('%') && Number(length) <= (family === 4 ? 32 : 128)
}

/** Origins in the browsers' notation; a host may begin with `*.` for all hosts below it. */
export const origins: ValueType<readonly string[]> = {
  expects: 'origins separated by commas, such as https://tools.example.com',
  parse: (text) => {
    const list = words.parse(text)?.map((word) => word.toLowerCase().replace(/\/$/, ''))
    return list?.every((word) => ORIGIN.test(word)) ? list : undefined
  },
}

const ORIGIN = /^https?:\/\/(\*\.)?([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/

/** Regular expressions, each of which must match a whole text. */
export const expressions: ValueType<readonly RegExp[]> = {
  expects: 'regular expressions separated by commas, or a JSON list of them',
  parse: (text) => {
    const list = words.parse(text)?.map(wholeExpression)
    return list?.every((expression) => expression !== undefined) ? list : undefined
  },
}

function wholeExpression(text: string): RegExp | undefined {
  try {
    return new RegExp(`^(?:${text})$`)
  } catch {
    return undefined
  }
}

/** URL of a trusted server: https, or http on the machine itself. */
export const providerUrl: ValueType<string> = {
  expects: 'a URL that begins with https:// (http:// only for localhost)',
  parse: (text) => {
    if (!URL.canParse(text)) return undefined
    const { protocol, hostname } = new URL(text)
    const isSafe = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname))
    return isSafe ? text : undefined
  },
}

/** URL of a proxy; `http://` may be missing, as is usual in such variables. */
export const proxyUrl: ValueType<string> = {
  expects: 'the URL of a proxy, such as http://proxy.example.com:3128',
  parse: (text) => {
    const url = text.includes('://') ? text : `http://${text}`
    return /^https?:\/\/[^/\s]/.test(url) && URL.canParse(url) ? url : undefined
  },
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** A JSON object whose entries pass `isEntry`. */
export const jsonObject = <T>(
  expects: string,
  isEntry: (entry: readonly [string, unknown]) => entry is readonly [string, T],
): ValueType<Readonly<Record<string, T>>> => ({
  expects,
  parse: (text) => {
    const value = parseJsonSetting(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const entries = Object.entries(value)
    return entries.every(isEntry) ? Object.fromEntries(entries) : undefined
  },
})

/** The parsed value; undefined for text that is not JSON. */
export function parseJsonSetting(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Where files are kept. */
export const placeOfFiles: ValueType<string> = {
  expects: 'a directory, or the URL of an S3 bucket, such as https://s3.eu-west-1.amazonaws.com/bucket/prefix',
  parse: (text) => (isBucket(text) && bucketOf(text) === undefined ? undefined : text),
}

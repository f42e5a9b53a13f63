import { ConfigurationError } from '../base/errors.ts'

/** The servers that a connection URL names. */
export interface ServerUrls {
  /** One URL for each host, in the order of the URL. */
  readonly urls: readonly string[]
  /** Whether a server that accepts no writes must not be used at all. */
  readonly needsPrimary: boolean
}

const SHAPE = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)([^?]*)\??(.*)$/
const ATTRIBUTES = 'target_session_attrs'
const NEEDS_PRIMARY: Readonly<Record<string, boolean>> = {
  any: false,
  'read-write': true,
  primary: true,
}

/**
 * Reads a URL in the form of libpq (PostgreSQL's manual, "Connection URIs"): several hosts between commas, each with
 * its port, and `target_session_attrs`. Throws ConfigurationError if its value is not any, read-write or primary.
 */
export function serverUrls(url: string): ServerUrls {
  const [, start = '', hosts = '', path = '', query = ''] = SHAPE.exec(url) ?? []
  const parameters = query.split('&').filter((parameter) => parameter !== '')
  const remaining = parameters.filter((parameter) => !parameter.startsWith(`${ATTRIBUTES}=`))
  const attributes = parameters.find((parameter) => !remaining.includes(parameter))?.split('=')[1] ?? 'any'
  const needsPrimary = NEEDS_PRIMARY[attributes]
  if (needsPrimary === undefined) {
    throw new ConfigurationError(
      `${ATTRIBUTES}=${attributes} cannot be used: it must be one of ${Object.keys(NEEDS_PRIMARY).join(', ')}.`,
    )
  }
  const end = path + (remaining.length === 0 ? '' : `?${remaining.join('&')}`)
  return { urls: hosts.split(',').map((host) => `${start}${host}${end}`), needsPrimary }
}

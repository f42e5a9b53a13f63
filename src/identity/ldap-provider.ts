import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Client, Entry } from 'ldapts'
import { ApiError, ConfigurationError } from '../base/errors.ts'
import type { LdapConfig } from '../config/auth-providers.ts'
import type { Person } from './external-account.ts'

/** A directory that checks names and passwords: LDAP (RFC 4511) or Active Directory. */
export interface LdapProvider {
  readonly config: LdapConfig
  /** Looks for the person with the name and the password. Throws `unavailable`. */
  authenticate(username: string, password: string): Promise<DirectoryResult>
  /** Connects to every server, binds and searches. Resolves to one sentence for each failure. */
  check(): Promise<readonly string[]>
}

/** What a directory says about a name and a password. */
interface DirectoryResult {
  /** Undefined if the password is wrong, or the directory knows no such name. */
  readonly person?: Person | undefined
  /** The entry that the directory found for the name; undefined if it was not told before the password was checked. */
  readonly entry?: string
}

/** Milliseconds for connecting to a server, and for each of its responses. */
const CONNECT_TIMEOUT = 3_000
const TIMEOUT = 5_000
/** Levels of groups within groups that are followed. */
const DEEPEST = 10
/** Maximum number of groups read, so that a wrong group_filter cannot fill the memory. */
const MOST_GROUPS = 5_000
/** Maximum number of groups in one filter, because servers limit its size. */
const GROUPS_IN_FILTER = 50

/** The configured directory. Throws ConfigurationError for a file of certificates that cannot be read. */
export function ldapProvider(config: LdapConfig): LdapProvider {
  const tls = { minVersion: 'TLSv1.2' as const, ...(config.ca_file !== undefined && { ca: readAuthorities(config) }) }
  return {
    config,
    authenticate: async (username, password) => {
      // A bind with a name and no password succeeds as anonymous (RFC 4513 §5.1.2).
      if (username === '' || password === '') return {}
      return await withServer(config, tls, (client) => signIn(client, config, username, password))
    },
    check: async () => {
      const failures: string[] = []
      for (const url of config.urls) {
        try {
          await withClient(config, tls, url, (client) => examine(client, config))
        } catch (error) {
          failures.push(`${url}: ${messageOf(error)}`)
        }
      }
      return failures
    },
  }
}

type Tls = Readonly<{ minVersion: 'TLSv1.2'; ca?: Buffer }>

function readAuthorities({ name, ca_file = '' }: LdapConfig): Buffer {
  try {
    return readFileSync(ca_file)
  } catch {
    throw new ConfigurationError(`The login provider ${name} needs a ca_file that can be read: ${ca_file} cannot.`)
  }
}

/** Runs the work on the first server that can be reached. Throws `unavailable` if none can. */
async function withServer<T>(config: LdapConfig, tls: Tls, work: (client: Client) => Promise<T>): Promise<T> {
  for (const url of config.urls) {
    try {
      return await withClient(config, tls, url, work)
    } catch {
      // The next server may work: this one is down, has no valid certificate, or refuses the service's own account.
    }
  }
  throw new ApiError({
    kind: 'unavailable',
    detail: 'Wrong password, or the directory server does not answer. Local accounts still work.',
  })
}

async function withClient<T>(
  { start_tls }: LdapConfig,
  tls: Tls,
  url: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  // Loaded on demand: most services have no directory.
  const library = await import('ldapts')
  const isEncrypted = /^ldaps:/i.test(url)
  const { hostname, port } = new URL(url.replace(/^ldaps?/i, 'http'))
  const host = hostname.replace(/^\[|\]$/g, '')
  // The library uses the port of the URL only for connections of its own.
  const address = { host, port: port === '' ? (isEncrypted ? 636 : 389) : Number(port) }
  const connectOnce = onlyOnce()
  const client = new library.Client({
    ...{ url, connectTimeout: CONNECT_TIMEOUT, timeout: TIMEOUT },
    ...(isEncrypted
      ? { createSecureConnection: () => connectOnce(() => connectTls({ ...tls, ...address })) }
      : { createConnection: () => connectOnce(() => connect(address)) }),
  })
  try {
    // The certificate is compared with the name of the host, which the library does not know here.
    if (start_tls && !isEncrypted) await client.startTLS({ ...tls, host })
    return await work(client)
  } finally {
    await client.unbind().catch(() => undefined)
  }
}

/**
 * Runs its work once and throws the next time. The library reconnects when a connection is lost. The new connection
 * would lack StartTLS and the service's account, and would carry the person's password.
 */
function onlyOnce(): <T>(work: () => T) => T {
  let isUsed = false
  return (work) => {
    if (isUsed) throw new Error('The connection was lost.')
    isUsed = true
    return work()
  }
}

/** Finds the person and binds with the password, or binds first if the name of the entry is known. */
async function signIn(
  client: Client,
  config: LdapConfig,
  username: string,
  password: string,
): Promise<DirectoryResult> {
  if (config.user_dn !== undefined) {
    if (!(await isBound(client, fill(config.user_dn, { username: escapeDn(username) }), password))) return {}
    return await resultOf(client, config, await findPerson(client, config, username))
  }
  await bindService(client, config)
  const entry = await findPerson(client, config, username)
  if (!entry) return {}
  if (!(await isBound(client, entry.dn, password))) return { entry: entry.dn }
  // The person may not be allowed to read groups.
  await bindService(client, config)
  return await resultOf(client, config, entry)
}

const resultOf = async (client: Client, config: LdapConfig, entry: Entry | undefined): Promise<DirectoryResult> =>
  entry ? { entry: entry.dn, person: await personOf(client, config, entry) } : {}

async function bindService(client: Client, { bind_dn = '', bind_password = '' }: LdapConfig): Promise<void> {
  await client.bind(bind_dn, bind_password)
}

/** Whether the server accepts the password. Throws for any other failure. */
async function isBound(client: Client, dn: string, password: string): Promise<boolean> {
  const { InvalidCredentialsError, InvalidDNSyntaxError, NoSuchObjectError } = await import('ldapts')
  try {
    await client.bind(dn, password)
    return true
  } catch (error) {
    const isRefusal =
      error instanceof InvalidCredentialsError ||
      error instanceof InvalidDNSyntaxError ||
      error instanceof NoSuchObjectError
    if (isRefusal) return false
    throw error
  }
}

/** The only entry with the name; undefined if there is none, or several, of which any might belong to somebody else. */
async function findPerson(client: Client, config: LdapConfig, username: string): Promise<Entry | undefined> {
  const attributes = [
    config.username_attribute,
    config.subject_attribute,
    config.first_name_attribute,
    config.last_name_attribute,
    config.email_attribute,
  ]
  const filter = fill(config.user_filter, { username: escapeFilter(username) })
  // With a direct bind and no base, the entry is that of the bind name.
  const base = config.user_base ?? fill(config.user_dn ?? '', { username: escapeDn(username) })
  const scope = config.user_base === undefined ? 'base' : 'sub'
  const { searchEntries } = await client.search(base, {
    ...{ scope, filter, attributes, explicitBufferAttributes: ['objectGUID'] },
    derefAliases: 'never',
  })
  return searchEntries.length === 1 ? searchEntries[0] : undefined
}

async function personOf(client: Client, config: LdapConfig, entry: Entry): Promise<Person | undefined> {
  const username = textOf(entry, config.username_attribute)
  if (username === '') return undefined
  return {
    issuer: `ldap:${config.name}`,
    subject: textOf(entry, config.subject_attribute) || entry.dn,
    username: () => username,
    firstName: textOf(entry, config.first_name_attribute),
    lastName: textOf(entry, config.last_name_attribute),
    email: textOf(entry, config.email_attribute),
    groups:
      config.group_base === undefined
        ? undefined
        : await groupsOf(client, config, config.group_base, entry.dn, username),
  }
}

/** The first value of an attribute; binary ones in hexadecimal digits. Names of attributes are case-insensitive. */
function textOf(entry: Entry, attribute: string): string {
  const lowerName = attribute.toLowerCase()
  const [, value] = Object.entries(entry).find(([name]) => name.toLowerCase() === lowerName) ?? []
  const first = Array.isArray(value) ? value[0] : value
  return Buffer.isBuffer(first) ? first.toString('hex') : (first ?? '')
}

/** Names of the groups of the person, and of the groups that contain these, level by level; each group is read once. */
async function groupsOf(
  client: Client,
  config: LdapConfig,
  base: string,
  dn: string,
  username: string,
): Promise<ReadonlySet<string>> {
  const { group_filter, group_name_attribute, nested_groups } = config
  const seen = new Set<string>()
  const names = new Set<string>()
  let members: readonly string[] = [dn]
  for (let level = 0; members.length > 0 && level < (nested_groups ? DEEPEST : 1); level += 1) {
    const next: string[] = []
    for (let start = 0; start < members.length; start += GROUPS_IN_FILTER) {
      const filters = members.slice(start, start + GROUPS_IN_FILTER).map((member) =>
        // Only the person has a user name.
        fill(group_filter, { dn: escapeFilter(member), username: level === 0 ? escapeFilter(username) : '\\00' }),
      )
      const { searchEntries } = await client.search(base, {
        scope: 'sub',
        filter: filters.length === 1 ? (filters[0] ?? '') : `(|${filters.join('')})`,
        attributes: [group_name_attribute],
        paged: { pageSize: 500 },
        sizeLimit: MOST_GROUPS,
        derefAliases: 'never',
      })
      for (const entry of searchEntries) {
        const key = entry.dn.toLowerCase()
        if (seen.has(key)) continue
        seen.add(key)
        next.push(entry.dn)
        const name = textOf(entry, group_name_attribute)
        if (name !== '') names.add(name)
      }
    }
    if (seen.size > MOST_GROUPS) throw new Error(`More than ${MOST_GROUPS} groups match group_filter.`)
    members = next
  }
  return names
}

/** Searches for a person who does not exist: bind, bases and filters must be right for an empty result. */
async function examine(client: Client, config: LdapConfig): Promise<void> {
  // A direct bind needs a person's password, which is not available here, so only the connection can be tested.
  if (config.user_dn !== undefined && config.bind_dn === undefined) {
    await client.search('', { scope: 'base', filter: '(objectClass=*)', attributes: ['supportedLDAPVersion'] })
    return
  }
  await bindService(client, config)
  const username = 'nobody-of-cadastre-doctor'
  if (config.user_base !== undefined) await findPerson(client, config, username)
  if (config.group_base !== undefined) {
    await groupsOf(client, { ...config, nested_groups: false }, config.group_base, `cn=${username}`, username)
  }
}

/** The template with escaped values in place of its names. Function, because `$&` in a value means nothing here. */
const fill = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)

/** A value in a filter (RFC 4515 §3): it matches only itself. */
const escapeFilter = (value: string): string =>
  value.replace(/[\\*()\0]/g, (sign) => `\\${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)

/** A value in a distinguished name (RFC 4514 §2.4). */
const escapeDn = (value: string): string =>
  value.replace(/[\\,+"<>;=#\0]|^ | $/g, (sign) => `\\${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)

/** Servers often refuse without a text; the library's name of the error then says more. */
const messageOf = (error: unknown): string =>
  error instanceof Error ? `${error.name === 'Error' ? '' : `${error.name}: `}${error.message}` : String(error)

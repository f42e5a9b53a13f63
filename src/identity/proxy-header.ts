import type { HeaderConfig } from '../config/auth-providers.ts'
import type { Settings } from '../config/settings.ts'
import { contains, parseInterface } from '../schema/net/ip.ts'
import { SYSTEM } from '../schema/system-models.ts'
import type { Service } from '../service.ts'
import { sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import { parseClientAddress } from './client-address.ts'
import type { Person } from './external-account.ts'
import { ACTOR_CACHING } from './grants.ts'

/** The parts of a request from which a proxy's user is determined. */
interface ProxiedRequest {
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Address of the machine that opened the connection; undefined when unknown. */
  readonly peer?: string | undefined
}

/** A person whom a trusted proxy names. */
interface ProxiedPerson {
  readonly config: HeaderConfig
  readonly person: Person
}

/**
 * The person whom a proxy names in a header; undefined without one. Headers from machines that TRUST_PROXY does not
 * list are ignored, because any client can send them.
 */
export function personOfHeaders(
  providers: readonly HeaderConfig[],
  settings: Pick<Settings, 'trustProxy'>,
  request: ProxiedRequest,
): ProxiedPerson | undefined {
  if (providers.length === 0 || !isTrusted(request.peer, settings)) return undefined
  const textOf = (name: string): string => decoded(request.headers[name])
  const config = providers.find(({ header }) => textOf(header) !== '')
  if (!config) return undefined
  const username = textOf(config.header)
  const { group_header, group_separator } = config
  return {
    config,
    person: {
      issuer: `header:${config.name}`,
      // User names differ in more than case.
      subject: username.toLowerCase(),
      username: () => username,
      firstName: textOf(config.first_name_header),
      lastName: textOf(config.last_name_header),
      email: textOf(config.email_header),
      groups: group_header === undefined ? undefined : new Set(split(textOf(group_header), group_separator)),
    },
  }
}

function isTrusted(peer: string | undefined, { trustProxy }: Pick<Settings, 'trustProxy'>): boolean {
  const address = parseClientAddress(peer)
  if (!address || typeof trustProxy === 'boolean') return false
  return trustProxy.some((text) => {
    const network = parseInterface(text)
    return network !== undefined && network.family === address.family && contains(network, address)
  })
}

/** Node.js reads headers as Latin-1; proxies send UTF-8. */
const decoded = (value: string | undefined): string =>
  Buffer.from(value ?? '', 'latin1')
    .toString()
    .trim()

const split = (text: string, separator: string): readonly string[] =>
  text
    .split(separator)
    .map((name) => name.trim())
    .filter((name) => name !== '')

/** Id of the user linked to the person, from the cache; undefined before the first login. */
export async function linkedUserId(service: Service, { issuer, subject }: Person): Promise<number | undefined> {
  const key = `identity ${JSON.stringify([issuer, subject])}`
  return await service.cache.get(key, () => loadLinkedUserId(service, issuer, subject), ACTOR_CACHING)
}

async function loadLinkedUserId({ database }: Service, issuer: string, subject: string): Promise<number | undefined> {
  const [row] = await database.query<{ user_id: number }>(sql`
    select user_id from ${table(SYSTEM.identity)} where issuer = ${issuer} and subject = ${subject}`)
  return row?.user_id
}

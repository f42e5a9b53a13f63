/** Who may send observations: secrets of clients, and the tokens that they get for them. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import {
  type AnyRow,
  type ApiRequest,
  GrpcError,
  type HttpResponse,
  hashPassword,
  invalid,
  isPassword,
  jsonResponse,
  type Service,
  sql,
  table,
  writeObjects,
} from 'cadastre'

const CLIENT = 'observed.client'
/** Seconds; clients get a new token by themselves. */
const LIFETIME = 3_600
const SHORTEST_SECRET = 16

const isEqual = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

/** Stores the hash of a secret, and makes an id for a client that has none. */
export async function prepareClient({
  next,
  previous,
}: {
  readonly next: AnyRow
  readonly previous: AnyRow | undefined
}) {
  const { client_secret: secret, client_id: id, name } = next
  const isNew = typeof secret === 'string' && secret !== '' && secret !== previous?.client_secret
  const slug = String(name)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
  return {
    ...(isNew && { client_secret: await hashPassword(secret) }),
    ...(id === '' && { client_id: `${slug}-${randomBytes(4).toString('hex')}`.slice(-100) }),
  }
}

/** A secret that a person chose must be long enough. */
export const secretIsLong = ({ next, previous }: { readonly next: AnyRow; readonly previous: AnyRow | undefined }) => {
  const { client_secret: secret } = next
  if (typeof secret !== 'string' || secret === '' || secret === previous?.client_secret) return undefined
  return secret.length < SHORTEST_SECRET
    ? { client_secret: `The secret must have at least ${SHORTEST_SECRET} characters.` }
    : undefined
}

/** Creates a client. Its secret, which is generated unless the body has one, is shown only here. */
export async function createClient(request: ApiRequest): Promise<HttpResponse> {
  const body = await request.body.read(request.service.registry.model(CLIENT))
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid({ non_field_errors: ['Expected an object with named fields.'] })
  }
  const sent = (body as Readonly<Record<string, unknown>>).client_secret // an object, as checked
  const secret = typeof sent === 'string' && sent !== '' ? sent : randomBytes(32).toString('base64url')
  const response = await writeObjects(request, CLIENT, async ({ create }) => {
    const [id = 0] = await create(CLIENT, [{ ...body, client_secret: secret }])
    return id
  })
  const client: unknown = JSON.parse(String(response.body))
  return {
    ...response,
    body: JSON.stringify({ ...(client as object), client_secret: secret }), // the object that was created
    headers: { 'Cache-Control': 'no-store' },
  }
}

/** The answer to a request for a token (RFC 6749 §4.4). */
export async function issueToken(request: ApiRequest): Promise<HttpResponse> {
  const form = await request.body.form()
  const sent = (name: string): string => String(form?.get(name)?.[0] ?? '')
  if (!form || sent('grant_type') !== 'client_credentials') return refusal(400, 'unsupported_grant_type')
  const address = request.address ?? ''
  if (attempts.isExhausted(address)) return refusal(429, 'slow_down', { 'Retry-After': '60' })
  const client = await clientWith(request.service, sql`client_id = ${sent('client_id')}`)
  // An unknown client takes as long as a wrong secret.
  if (!(await isPassword(sent('client_secret'), client?.secret)) || !client) {
    attempts.note(address)
    return refusal(401, 'invalid_client')
  }
  const expires = Math.floor(request.service.clock.now() / 1_000) + LIFETIME
  const claims = `${client.id}.${expires}`
  const answer = {
    access_token: `${claims}.${signatureOf(claims, client)}`,
    token_type: 'bearer',
    expires_in: LIFETIME,
  }
  return jsonResponse(200, { ...answer, scope: 'diode:ingest' }, { 'Cache-Control': 'no-store' })
}

const refusal = (status: number, error: string, headers: Readonly<Record<string, string>> = {}): HttpResponse =>
  jsonResponse(status, { error }, headers)

/** Failed attempts by address, since hashing a secret takes time. */
class Attempts {
  readonly #limit = 10
  #minute = 0
  #counts = new Map<string, number>()

  isExhausted(address: string): boolean {
    const minute = Math.floor(Date.now() / 60_000)
    if (minute !== this.#minute) {
      this.#minute = minute
      this.#counts = new Map()
    }
    return (this.#counts.get(address) ?? 0) >= this.#limit
  }

  note(address: string): void {
    this.#counts.set(address, (this.#counts.get(address) ?? 0) + 1)
  }
}
const attempts = new Attempts()

interface Client {
  readonly id: number
  readonly secret: string
}

async function clientWith({ database }: Service, condition: ReturnType<typeof sql>): Promise<Client | undefined> {
  const [client] = await database.query<Record<string, unknown> & Client>(sql`
    select id, client_secret as secret from ${table(CLIENT)} where enabled and client_secret <> '' and ${condition}`)
  return client
}

/** Signed with the hash of the secret: a new secret ends all tokens, and every process can check them. */
const signatureOf = (claims: string, { secret }: Client): string =>
  createHmac('sha256', secret).update(claims).digest('base64url')

/** The id of the client that sends a call. Throws GrpcError. */
export async function clientOf(service: Service, authorization: string | undefined): Promise<number> {
  const [id = '', expires = '', signature = ''] = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1]?.split('.') ?? []
  const isCurrent = Number(expires) * 1_000 > service.clock.now()
  const client = /^\d{1,15}$/.test(id) && isCurrent ? await clientWith(service, sql`id = ${id}::bigint`) : undefined
  if (!client || !isEqual(signature, signatureOf(`${id}.${expires}`, client))) {
    throw new GrpcError('unauthenticated', 'The token is invalid or has expired.')
  }
  return client.id
}

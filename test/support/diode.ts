import { connect } from 'node:http2'
import { MESSAGES } from '../../packs/observed/messages.ts'
import type { Api } from './api.ts'

/** An entity as its kind and its fields: texts, numbers, booleans, nested objects and lists. */
export type Entity = Readonly<Record<string, object>>

/** The kinds of entities, with the types of their messages. */
export const kinds = (): readonly (readonly [kind: string, type: string])[] =>
  [...(TYPES.get('Entity') ?? [])].flatMap(([kind, { type }]) => (kind === 'timestamp' ? [] : [[kind, type] as const]))

/** A message with a value for every field; of a oneof, the last member counts. */
export function fullMessage(type: string, depth = 3): object {
  const example = ({ type, isMap }: FieldType): unknown => {
    if (isMap) return { tier: { text: 'gold' } }
    if (type === 'Struct') return {}
    if (type === 'Timestamp') return '2026-01-31T00:00:00Z'
    if (type === 'bytes') return Buffer.from('bytes')
    return SCALARS.get(type) ?? fullMessage(type, depth - 1)
  }
  return Object.fromEntries(
    [...(TYPES.get(type) ?? [])].flatMap(([name, field]) =>
      depth === 0 && TYPES.has(field.type) ? [] : [[name, example(field)] as const],
    ),
  )
}

const SCALARS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['string', 'a1'],
  ['int64', 1],
  ['double', 1.5],
  ['bool', true],
])

interface FieldType {
  readonly number: number
  readonly type: string
  readonly isMap: boolean
}

const TYPES = new Map(
  MESSAGES.trim()
    .split('\n')
    .map((line) => {
      const [name = '', ...fields] = line.split(' ')
      return [
        name,
        new Map(
          fields.map((text): readonly [string, FieldType] => {
            const [number, field = '', rest = ''] = text.split(':')
            return [field, { number: Number(number), type: rest.replace(/[*%|].*$/, ''), isMap: rest.includes('%') }]
          }),
        ),
      ]
    }),
)

function varint(value: number | bigint): number[] {
  let rest = BigInt.asUintN(64, BigInt(value))
  const bytes: number[] = []
  while (rest >= 0x80n) {
    bytes.push(Number(rest & 0x7fn) | 0x80)
    rest >>= 7n
  }
  return [...bytes, Number(rest)]
}

const delimited = (number: number, bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(bytes.length)]), bytes])

/** The message with these fields in Protocol Buffers' encoding. */
export function encode(type: string, message: object): Buffer {
  const fields = TYPES.get(type)
  return Buffer.concat(
    Object.entries(message).flatMap(([name, value]): readonly Buffer[] => {
      const field = fields?.get(name)
      if (!field) throw new Error(`${type} has no field ${name}`)
      if (field.isMap) {
        return Object.entries(value as object).map(([key, item]) =>
          delimited(
            field.number,
            Buffer.concat([delimited(1, Buffer.from(key)), encodeValue({ ...field, number: 2 }, item)]),
          ),
        )
      }
      return (Array.isArray(value) ? value : [value]).map((item) => encodeValue(field, item))
    }),
  )
}

function encodeValue({ number, type }: FieldType, value: unknown): Buffer {
  switch (type) {
    case 'string':
      return delimited(number, Buffer.from(String(value)))
    case 'bytes':
      return delimited(number, value as Buffer)
    case 'int64':
    case 'bool':
      return Buffer.from([...varint(number * 8), ...varint(BigInt(Number(value)))])
    case 'double': {
      const bytes = Buffer.alloc(8)
      bytes.writeDoubleLE(Number(value))
      return Buffer.concat([Buffer.from(varint(number * 8 + 1)), bytes])
    }
    case 'Timestamp':
      return delimited(number, Buffer.from([8, ...varint(Math.floor(Date.parse(String(value)) / 1_000))]))
    case 'Struct':
      return delimited(number, encodeStruct(value as object))
    default:
      return delimited(number, encode(type, value as object))
  }
}

/** A document of texts, numbers and further documents. */
const encodeStruct = (document: object): Buffer =>
  Buffer.concat(
    Object.entries(document).map(([key, value]: [string, unknown]) => {
      const number = Buffer.alloc(9, 0x11)
      if (typeof value === 'number') number.writeDoubleLE(value, 1)
      const content =
        typeof value === 'string'
          ? delimited(3, Buffer.from(value))
          : typeof value === 'number'
            ? number
            : delimited(5, encodeStruct(value as object))
      return delimited(1, Buffer.concat([delimited(1, Buffer.from(key)), delimited(2, content)]))
    }),
  )

/** The status and the message of a gRPC response. */
export interface GrpcAnswer {
  readonly httpStatus: number
  readonly status: number
  readonly message: string
}

/** Sends a call with these bytes as its body. */
export async function call(
  url: string,
  body: Uint8Array,
  {
    token,
    path = '/diode/diode.v1.IngesterService/Ingest',
    type = 'application/grpc',
  }: { readonly token?: string; readonly path?: string; readonly type?: string },
): Promise<GrpcAnswer> {
  const session = connect(url)
  try {
    const { promise, resolve, reject } = Promise.withResolvers<GrpcAnswer>()
    session.on('error', reject)
    const stream = session.request({
      ...{ ':method': 'POST', ':path': path, 'content-type': type, te: 'trailers' },
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    })
    let httpStatus = 0
    let trailers: Readonly<Record<string, unknown>> = {}
    stream.on('response', (headers) => {
      httpStatus = Number(headers[':status'])
    })
    stream.on('trailers', (headers) => {
      trailers = headers
    })
    stream.on('error', reject).on('end', () =>
      resolve({
        httpStatus,
        status: Number(trailers['grpc-status'] ?? -1),
        message: decodeURIComponent(String(trailers['grpc-message'] ?? '')),
      }),
    )
    stream.resume()
    stream.end(body)
    return await promise
  } finally {
    session.close()
  }
}

/** The body of a call with one message. */
export function framed(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(5)
  prefix.writeUInt32BE(message.length, 1)
  return Buffer.concat([prefix, message])
}

/** A client of a service whose pack `observed` is on. */
export interface DiodeClient {
  readonly token: string
  /** Sends the entities as one request, and fails unless it is accepted. */
  send(
    entities: readonly Entity[],
    options?: { readonly producer?: string; readonly metadata?: object; readonly url?: string },
  ): Promise<void>
}

let clients = 0

export async function diodeClient(api: Api): Promise<DiodeClient> {
  clients += 1
  const created = await api.ask('POST', '/api/plugins/observed/clients/', { body: { name: `client ${clients}` } })
  const { client_id, client_secret } = created.json
  const token = await tokenFor(api, String(client_id), String(client_secret))
  return {
    token: String(token.json.access_token),
    send: async (entities, options) => {
      const answer = await call(options?.url ?? api.url, framed(ingestRequest(entities, options)), {
        token: String(token.json.access_token),
      })
      if (answer.status !== 0) throw new Error(`${answer.status} ${answer.message}`)
    },
  }
}

export const tokenFor = (api: Api, client_id: string, client_secret: string) =>
  api.ask('POST', '/diode/auth/token', {
    token: null,
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id,
      client_secret,
      scope: 'diode:ingest',
    }).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  })

export const ingestRequest = (
  entities: readonly Entity[],
  { producer = 'test', metadata = {} }: { readonly producer?: string; readonly metadata?: object } = {},
): Buffer =>
  encode('IngestRequest', {
    stream: 'latest',
    entities: entities.map((entity) => ({ timestamp: '2026-11-29T00:00:00Z', ...entity })),
    id: crypto.randomUUID(),
    producer_app_name: producer,
    producer_app_version: '1.0.0',
    sdk_name: 'test',
    sdk_version: '1.0.0',
    metadata,
  })

import { AwsClient } from 'aws4fetch'
import { type OutboundResponse, readBody, sendGuarded } from './guarded-request.ts'
import { checkFileSize, type FetchFiles, type FetchRequest, SyncError, textParameter } from './source-file.ts'

/**
 * Objects of a bucket of Amazon S3, or of a server with the same API. The path of a file is the key of its object. The
 * URL names the server, then the bucket and a prefix of keys: https://s3.eu-west-1.amazonaws.com/bucket/prefix.
 */
export const fetchS3: FetchFiles = async function* (request) {
  const bucket = bucketOf(request.source.url)
  const client = clientFor(request, bucket)
  let after: string | undefined
  do {
    const page = await listPage(request, client, bucket, after)
    for (const { key, size } of page.objects) {
      // Keys that end with a slash represent directories.
      if (key.endsWith('/') || !isPlainPath(key) || request.ignores(key)) continue
      checkFileSize(key, size, request.limits)
      yield { path: key, read: () => readObject(request, client, bucket, key) }
    }
    after = page.next
  } while (after !== undefined)
}

/** Location of objects. */
export interface Bucket {
  /** Address of the bucket, without a trailing slash. */
  readonly url: string
  readonly prefix: string
  readonly region: string
}

const VIRTUAL_HOST = /^[^/]+\.s3[.-]([a-z0-9-]+\.)?amazonaws\.com$/
const REGION = /(?:^|\.)s3[.-]([a-z0-9-]+)\.amazonaws\.com$/
const DEFAULT_REGION = 'us-east-1'

/** The bucket of a source's URL. Throws SyncError for a URL without one. */
export function bucketOf(source: string): Bucket {
  const url = URL.parse(source)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new SyncError('The URL of an S3 source must begin with https:// or http://.')
  }
  const region = REGION.exec(url.hostname)?.[1] ?? DEFAULT_REGION
  const names = url.pathname
    .split('/')
    .filter((name) => name !== '')
    .map(decodeURIComponent)
  if (VIRTUAL_HOST.test(url.hostname)) return { url: url.origin, prefix: names.join('/'), region }
  const [bucket, ...rest] = names
  if (bucket === undefined) throw new SyncError('The URL of an S3 source must name a bucket.')
  return { url: `${url.origin}/${encodeURIComponent(bucket)}`, prefix: rest.join('/'), region }
}

function clientFor({ source }: FetchRequest, { region }: Bucket): AwsClient | undefined {
  const accessKeyId = textParameter(source, 'aws_access_key_id')
  const secretAccessKey = textParameter(source, 'aws_secret_access_key')
  if (accessKeyId === undefined && secretAccessKey === undefined) return undefined
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new SyncError('An S3 source needs both aws_access_key_id and aws_secret_access_key.')
  }
  return new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 })
}

/** Sends a GET request, signed if the source has credentials; public buckets need none. */
async function get(
  { limits, signal }: FetchRequest,
  client: AwsClient | undefined,
  url: string,
): Promise<OutboundResponse> {
  const signed = await client?.sign(url)
  const response = await sendGuarded({
    method: 'GET',
    url,
    headers: Object.fromEntries(signed?.headers ?? []),
    networks: limits.networks,
    signal,
  })
  if (response.status === 200) return response
  const text = (await readBody(response, LONGEST_PAGE, 'an error message')).toString('utf8')
  const reason = messageOf(text) ?? response.statusText
  throw new SyncError(`The bucket cannot be read (${response.status}): ${reason}`)
}

interface ListedObject {
  readonly key: string
  readonly size: number
}

interface ObjectPage {
  readonly objects: readonly ListedObject[]
  /** Start of the next page; undefined for the last one. */
  readonly next: string | undefined
}

/** Bytes of a page of the list: a thousand keys of 1,024 characters, each escaped, and their markup. */
const LONGEST_PAGE = 16_777_216

async function listPage(
  request: FetchRequest,
  client: AwsClient | undefined,
  { url, prefix }: Bucket,
  after: string | undefined,
): Promise<ObjectPage> {
  const address = new URL(url)
  address.searchParams.set('list-type', '2')
  if (prefix !== '') address.searchParams.set('prefix', prefix)
  if (after !== undefined) address.searchParams.set('continuation-token', after)
  // Spaces as %20, which signatures require.
  address.search = address.search.replaceAll('+', '%20')
  const response = await get(request, client, address.href)
  const text = (await readBody(response, LONGEST_PAGE, 'a page of keys')).toString('utf8')
  if (!text.includes('<ListBucketResult')) {
    throw new SyncError('The server does not answer as S3 does.')
  }
  const objects = listedObjects(text)
  const isTruncated = elementOf(text, 'IsTruncated') === 'true'
  const next = isTruncated ? elementOf(text, 'NextContinuationToken') : undefined
  return { objects, next: next === after ? undefined : next }
}

/** The objects of a page of S3's list, which is XML. */
export const listedObjects = (xml: string): readonly ListedObject[] =>
  [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, content = '']) => ({
    key: elementOf(content, 'Key') ?? '',
    size: Number(elementOf(content, 'Size')),
  }))

/** The reason in an error of S3; undefined if the text has none. */
export const messageOf = (xml: string): string | undefined => elementOf(xml, 'Message') ?? elementOf(xml, 'Code')

async function readObject(
  request: FetchRequest,
  client: AwsClient | undefined,
  { url }: Bucket,
  key: string,
): Promise<Uint8Array> {
  const path = key.split('/').map(encodeURIComponent).join('/')
  const response = await get(request, client, `${url}/${path}`)
  return await readBody(response, request.limits.fileSize, 'the maximum for a file')
}

/** Keys are any text; those that are not a relative path could not be found by their URL. */
const isPlainPath = (key: string): boolean =>
  key.split('/').every((name) => name !== '' && name !== '.' && name !== '..')

/** Text of the first element of that name; S3's responses are flat. */
function elementOf(xml: string, name: string): string | undefined {
  const content = new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(xml)?.[1]
  return content?.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (entity, hex, decimal, word) => {
    if (word !== undefined) return ENTITIES.get(word) ?? entity
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : entity
  })
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

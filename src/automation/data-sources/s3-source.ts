import { AwsClient } from 'aws4fetch'
import { type Bucket, bucketOf, listUrl, messageOf, parseList, pathOf } from '../../base/s3.ts'
import { type OutboundResponse, readBody, sendGuarded } from './guarded-request.ts'
import { checkFileSize, type FetchFiles, type FetchRequest, SyncError, textParameter } from './source-file.ts'

/**
 * Objects of a bucket of Amazon S3, or of a server with the same API. The path of a file is the key of its object. The
 * URL names the server, then the bucket and a prefix of keys: https://s3.eu-west-1.amazonaws.com/bucket/prefix.
 */
export const fetchS3: FetchFiles = async function* (request) {
  const bucket = bucketOf(request.source.url)
  if (!bucket) throw new SyncError('The URL of an S3 source must name a server and a bucket: https://host/bucket.')
  const client = clientFor(request, bucket)
  let after: string | undefined
  do {
    const page = await listPage(request, client, listUrl(bucket, bucket.prefix, after))
    for (const { key, size } of page.objects) {
      // Keys that end with a slash represent directories.
      if (key.endsWith('/') || !isPlainPath(key) || request.ignores(key)) continue
      checkFileSize(key, size, request.limits)
      yield { path: key, read: () => readObject(request, client, bucket, key) }
    }
    after = page.next === after ? undefined : page.next
  } while (after !== undefined)
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

/** Bytes of a page of the list: a thousand keys of 1,024 characters, each escaped, and their markup. */
const LONGEST_PAGE = 16_777_216

async function listPage(request: FetchRequest, client: AwsClient | undefined, url: string) {
  const response = await get(request, client, url)
  const text = (await readBody(response, LONGEST_PAGE, 'a page of keys')).toString('utf8')
  if (!text.includes('<ListBucketResult')) {
    throw new SyncError('The server does not respond as S3 does.')
  }
  return parseList(text)
}

async function readObject(
  request: FetchRequest,
  client: AwsClient | undefined,
  { url }: Bucket,
  key: string,
): Promise<Uint8Array> {
  const response = await get(request, client, `${url}/${pathOf(key)}`)
  return await readBody(response, request.limits.fileSize, 'the maximum for a file')
}

/** Keys can be any text; a key that is not a relative path could not be found by its URL. */
const isPlainPath = (key: string): boolean =>
  key.split('/').every((name) => name !== '' && name !== '.' && name !== '..')

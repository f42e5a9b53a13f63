import type { ValueType } from './value-types.ts'

/** Location of objects in Amazon S3, or on a server with the same API. */
export interface Bucket {
  /** Address of the bucket, without a trailing slash. */
  readonly url: string
  readonly prefix: string
  readonly region: string
}

const VIRTUAL_HOST = /^[^/]+\.s3[.-]([a-z0-9-]+\.)?amazonaws\.com$/
const REGION = /(?:^|\.)s3[.-]([a-z0-9-]+)\.amazonaws\.com$/
const DEFAULT_REGION = 'us-east-1'

/** The bucket of https://s3.eu-west-1.amazonaws.com/bucket/prefix; undefined for text that names none. */
export function bucketOf(text: string): Bucket | undefined {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  const region = REGION.exec(url.hostname)?.[1] ?? DEFAULT_REGION
  const names = decodedNames(url.pathname)
  if (VIRTUAL_HOST.test(url.hostname)) return names && { url: url.origin, prefix: names.join('/'), region }
  const [bucket, ...rest] = names ?? []
  if (bucket === undefined) return undefined
  return { url: `${url.origin}/${encodeURIComponent(bucket)}`, prefix: rest.join('/'), region }
}

function decodedNames(path: string): readonly string[] | undefined {
  try {
    return path
      .split('/')
      .filter((name) => name !== '')
      .map(decodeURIComponent)
  } catch {
    return undefined
  }
}

/** Whether a place for files is the URL of a bucket, not a directory. */
export const isBucket = (place: string): boolean => place.includes('://')

/** Where files are kept. */
export const placeOfFiles: ValueType<string> = {
  expects: 'a directory, or the URL of an S3 bucket, such as https://s3.eu-west-1.amazonaws.com/bucket/prefix',
  parse: (text) => (isBucket(text) && bucketOf(text) === undefined ? undefined : text),
}

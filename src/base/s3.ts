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
  const [bucket, ...prefixParts] = names ?? []
  if (bucket === undefined) return undefined
  return { url: `${url.origin}/${encodeURIComponent(bucket)}`, prefix: prefixParts.join('/'), region }
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

/** A key as the path of a URL. */
export const pathOf = (key: string): string => key.split('/').map(encodeURIComponent).join('/')

/** URL of a page of the list of objects whose keys begin with the prefix. */
export function listUrl(bucket: Bucket, prefix: string, after: string | undefined): string {
  const url = new URL(bucket.url)
  url.searchParams.set('list-type', '2')
  if (prefix !== '') url.searchParams.set('prefix', prefix)
  if (after !== undefined) url.searchParams.set('continuation-token', after)
  // Spaces as %20, which signatures require.
  url.search = url.search.replaceAll('+', '%20')
  return url.href
}

interface ObjectPage {
  readonly objects: readonly { readonly key: string; readonly size: number }[]
  /** Start of the next page; undefined for the last one. */
  readonly next: string | undefined
}

/** A page of S3's list, which is XML. */
export const parseList = (xml: string): ObjectPage => ({
  objects: [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, content = '']) => ({
    key: elementOf(content, 'Key') ?? '',
    size: Number(elementOf(content, 'Size')),
  })),
  next: elementOf(xml, 'IsTruncated') === 'true' ? elementOf(xml, 'NextContinuationToken') : undefined,
})

/** The reason in an error of S3; undefined if the text has none. */
export const messageOf = (xml: string): string | undefined => elementOf(xml, 'Message') ?? elementOf(xml, 'Code')

/** Text of the first element of that name; S3's responses are flat. */
export function elementOf(xml: string, name: string): string | undefined {
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

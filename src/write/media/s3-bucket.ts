import { createHash } from 'node:crypto'
import { createReadStream, openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { AwsClient } from 'aws4fetch'
import { ConfigurationError } from '../../base/errors.ts'
import { type Bucket, bucketOf, elementOf, listUrl, messageOf, parseList, pathOf } from '../../base/s3.ts'
import type { Settings } from '../../config/settings.ts'
import { type FileContent, sizeOf } from '../../schema/uploaded-file.ts'

/** Milliseconds that a request for a small file may take. */
const PATIENCE = 15_000

/** Milliseconds that a file of this size may take, at 500 kB per second. */
const patienceFor = (size: number): number => PATIENCE + Math.ceil(size / 500)

/** The bucket refuses a request. */
export class BucketRefusal extends Error {
  override readonly name = 'BucketRefusal'
  readonly status: number
  /** Such as AccessDenied; undefined if the response has none. */
  readonly code: string | undefined

  constructor(request: string, { status, statusText }: Response, xml: string) {
    super(`The bucket refuses ${request} (${status}): ${messageOf(xml) ?? statusText}`)
    this.status = status
    this.code = elementOf(xml, 'Code')
  }
}

/** The bucket has confirmed a file and does not have it. */
export class FileNotStored extends Error {
  override readonly name = 'FileNotStored'
}

/** Files in a bucket that the configuration names; unlike a data source, it may be in any network. */
export class S3Bucket {
  readonly #bucket: Bucket
  readonly #client: AwsClient

  /** `url` names server, bucket and prefix. Throws ConfigurationError for one without a bucket. */
  constructor(
    url: string,
    { awsAccessKeyId = '', awsSecretAccessKey = '' }: Pick<Settings, 'awsAccessKeyId' | 'awsSecretAccessKey'>,
  ) {
    const bucket = bucketOf(url)
    if (!bucket) throw new ConfigurationError(`${url} names no bucket.`)
    this.#bucket = bucket
    this.#client = new AwsClient({
      ...{ accessKeyId: awsAccessKeyId, secretAccessKey: awsSecretAccessKey },
      ...{ region: bucket.region, service: 's3', retries: 0 },
    })
  }

  /** Stores a file of at most 5 GB under its own name and reads it back. Throws if the bucket then has other bytes. */
  async put(file: string, signal: AbortSignal): Promise<void> {
    const url = this.#urlOf(basename(file))
    await this.#send(url, { method: 'PUT', body: await openAsBlob(file), signal })
    const { body } = await this.#send(url, { signal })
    const [sent, stored] = await Promise.all([digestOf(createReadStream(file)), digestOf(body ?? [])])
    if (sent !== stored) throw new Error(`The content stored at ${url} differs from what was sent.`)
  }

  /** The content of a file; undefined if there is none of that name. */
  async read(name: string): Promise<Buffer | undefined> {
    const response = await this.#send(this.#urlOf(name), {}).catch(absent)
    return response && Buffer.from(await response.arrayBuffer())
  }

  /** The content of a file in chunks, for which the bucket is asked when they are read; undefined as for `read`. */
  async open(name: string): Promise<{ readonly size: number; readonly chunks: AsyncIterable<Uint8Array> } | undefined> {
    const head = await this.#send(this.#urlOf(name), { method: 'HEAD' }).catch(absent)
    if (!head) return undefined
    const size = Number(head.headers.get('content-length') ?? 0)
    const read = () => this.#send(this.#urlOf(name), { signal: AbortSignal.timeout(patienceFor(size)) })
    return {
      size,
      chunks: (async function* () {
        yield* (await read()).body ?? []
      })(),
    }
  }

  async has(name: string): Promise<boolean> {
    return (await this.#send(this.#urlOf(name), { method: 'HEAD' }).catch(absent)) !== undefined
  }

  /**
   * Stores a file; false if there is one of that name, unless it is to be replaced. Throws if the bucket then does not
   * have a file of that size: some gateways confirm what they have not stored.
   */
  async write(name: string, content: FileContent, replace: boolean): Promise<boolean> {
    // For servers that ignore the condition below; with it, only one of two simultaneous writes succeeds.
    if (!replace && (await this.has(name))) return false
    const body = content instanceof Uint8Array ? new Blob([new Uint8Array(content)]) : await openAsBlob(content.path)
    const init = { method: 'PUT', body, signal: AbortSignal.timeout(patienceFor(body.size)) }
    try {
      await this.#send(this.#urlOf(name), replace ? init : { ...init, headers: { 'If-None-Match': '*' } })
    } catch (error) {
      const isTaken =
        error instanceof BucketRefusal && (error.status === 412 || error.code === 'ConditionalRequestConflict')
      if (isTaken && !replace) return false
      throw error
    }
    const stored = await this.#send(this.#urlOf(name), { method: 'HEAD' }).catch(absent)
    const size = stored?.headers.get('content-length')
    if (!stored || (size && Number(size) !== sizeOf(content))) throw new FileNotStored()
    return true
  }

  /** Names of files that begin so, in ascending order. */
  async list(beginning = ''): Promise<readonly string[]> {
    const names: string[] = []
    let after: string | undefined
    do {
      const response = await this.#send(listUrl(this.#bucket, this.#keyOf(beginning), after), {})
      const { objects, next } = parseList(await response.text())
      names.push(...objects.map(({ key }) => key.slice(this.#keyOf('').length)))
      after = next === after ? undefined : next
    } while (after !== undefined)
    // Keys that end with a slash represent directories.
    return names.filter((name) => name !== '' && !name.endsWith('/'))
  }

  async remove(name: string): Promise<void> {
    await this.#send(this.#urlOf(name), { method: 'DELETE' }).catch(absent)
  }

  #keyOf(name: string): string {
    return this.#bucket.prefix === '' ? name : `${this.#bucket.prefix}/${name}`
  }

  #urlOf(name: string): string {
    return `${this.#bucket.url}/${pathOf(this.#keyOf(name))}`
  }

  async #send(url: string, init: RequestInit & { readonly body?: Blob }): Promise<Response> {
    const { method = 'GET' } = init
    const headers = Object.fromEntries((await this.#client.sign(url, { method })).headers)
    const response = await fetch(url, {
      signal: AbortSignal.timeout(PATIENCE),
      ...init,
      headers: { ...headers, ...init.headers },
    })
    if (response.ok) return response
    throw new BucketRefusal(`${method} ${url}`, response, await response.text())
  }
}

/** Undefined for the refusal of a request for a file that does not exist; throws any other error. */
function absent(error: unknown): undefined {
  if (error instanceof BucketRefusal && error.status === 404 && error.code !== 'NoSuchBucket') return undefined
  throw error
}

async function digestOf(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

import { createHash } from 'node:crypto'
import { createReadStream, openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { AwsClient } from 'aws4fetch'
import { type Bucket, bucketOf, listedObjects, messageOf } from './s3-source.ts'

export interface S3Keys {
  readonly awsAccessKeyId: string | undefined
  readonly awsSecretAccessKey: string | undefined
}

/** Files in a bucket that the configuration names; unlike a data source, it may be in any network. */
export class S3Bucket {
  readonly #bucket: Bucket
  readonly #client: AwsClient

  /** `url` names server, bucket and prefix. */
  constructor(url: string, { awsAccessKeyId = '', awsSecretAccessKey = '' }: S3Keys) {
    this.#bucket = bucketOf(url)
    this.#client = new AwsClient({
      ...{ accessKeyId: awsAccessKeyId, secretAccessKey: awsSecretAccessKey },
      ...{ region: this.#bucket.region, service: 's3', retries: 0 },
    })
  }

  /** Stores a file of at most 5 GB under its own name and reads it back. Throws if the bucket then has other bytes. */
  async put(file: string, signal: AbortSignal): Promise<void> {
    const url = this.#urlOf(basename(file))
    await this.#send(url, { method: 'PUT', body: await openAsBlob(file), signal })
    const { body } = await this.#send(url, { signal })
    const [sent, stored] = await Promise.all([digestOf(createReadStream(file)), digestOf(body ?? [])])
    if (sent !== stored) throw new Error(`${url} is not what was sent.`)
  }

  /** Names of files that begin so, in ascending order; a thousand at most. */
  async list(beginning: string): Promise<readonly string[]> {
    const url = new URL(this.#bucket.url)
    url.searchParams.set('list-type', '2')
    url.searchParams.set('prefix', this.#keyOf(beginning))
    const response = await this.#send(url.href, {})
    return listedObjects(await response.text()).map(({ key }) => key.slice(this.#keyOf('').length))
  }

  async remove(name: string): Promise<void> {
    await this.#send(this.#urlOf(name), { method: 'DELETE' })
  }

  #keyOf(name: string): string {
    return this.#bucket.prefix === '' ? name : `${this.#bucket.prefix}/${name}`
  }

  #urlOf(name: string): string {
    return `${this.#bucket.url}/${this.#keyOf(name).split('/').map(encodeURIComponent).join('/')}`
  }

  async #send(url: string, init: RequestInit & { readonly body?: Blob }): Promise<Response> {
    const { headers } = await this.#client.sign(url, { method: init.method ?? 'GET' })
    const response = await fetch(url, { ...init, headers })
    if (response.ok) return response
    const reason = messageOf(await response.text()) ?? response.statusText
    throw new Error(`The bucket refuses ${init.method ?? 'GET'} ${url} (${response.status}): ${reason}`)
  }
}

async function digestOf(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

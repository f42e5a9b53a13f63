import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import { AwsClient } from 'aws4fetch'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { fetchS3 } from '../../src/automation/data-sources/s3-source.ts'
import { bucketOf } from '../../src/base/s3.ts'
import { fetchAll } from './fetching.ts'

const KEYS = { aws_access_key_id: 'S3RVER', aws_secret_access_key: 'S3RVER' }

/** A page of a bucket's list, as S3 writes it. */
const page = (key: string, next: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>bucket</Name>
<IsTruncated>${next !== ''}</IsTruncated>
<Contents>${key}<Size>1</Size></Contents>${next}</ListBucketResult>`

describe('an S3 source', () => {
  let folder: string
  let server: S3rver
  let url: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cadastre-s3-'))
    server = new S3rver({
      port: 0,
      address: '127.0.0.1',
      silent: true,
      directory: folder,
      configureBuckets: [{ name: 'files', configs: [] }],
    })
    const { port } = await server.run()
    url = `http://127.0.0.1:${port}/files`
    const client = new AwsClient({
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
      service: 's3',
    })
    const put = async (key: string, body: string) => {
      const path = key.split('/').map(encodeURIComponent).join('/')
      const response = await client.fetch(`${url}/${path}`, { method: 'PUT', body })
      expect(response.status, await response.text()).toBe(200)
    }
    await put('a.txt', 'a')
    await put('deep/b.txt', 'b')
    await put('deep/.hidden', 'c')
    await put('deep/ü +x.txt', 'd')
  })
  afterAll(async () => {
    await server.close()
    await rm(folder, { recursive: true })
  })

  it('has the objects below a prefix, with their keys as paths', async () => {
    const { files } = await fetchAll(fetchS3, { url: `${url}/deep/`, parameters: KEYS })
    expect(files).toEqual({ 'deep/b.txt': 'b', 'deep/ü +x.txt': 'd' })
  })

  // With the current OpenSSL, the server cannot create the tokens of further pages.
  it('is listed page by page', async () => {
    const pages = new Map([
      [null, page('<Key>a</Key>', '<NextContinuationToken>x&amp;y</NextContinuationToken>')],
      ['x&y', page('<Key>b &lt;1&gt;</Key>', '')],
    ])
    const listing = createServer((request, response) => {
      const { searchParams, pathname } = new URL(request.url ?? '', 'http://localhost')
      const isList = searchParams.has('list-type')
      response.end(isList ? pages.get(searchParams.get('continuation-token')) : pathname)
    })
    await new Promise<void>((resolve) => listing.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void listing.close())
    const address = listing.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const { files } = await fetchAll(fetchS3, { url: `http://127.0.0.1:${port}/bucket` })
    expect(files).toEqual({ a: '/bucket/a', 'b <1>': '/bucket/b%20%3C1%3E' })
  })

  it.each([
    ['with a wrong secret', { ...KEYS, aws_secret_access_key: 'x' }, '', /403/],
    ['without the secret', { aws_access_key_id: 'S3RVER' }, '', /needs both/],
    ['for a bucket that does not exist', KEYS, '-2', /404/],
  ])('%s is refused', async (_, parameters, suffix, message) => {
    await expect(fetchAll(fetchS3, { url: url + suffix, parameters })).rejects.toThrow(message)
  })

  it('at an address that is not public is refused unless the network is allowed', async () => {
    const refused = expect(fetchAll(fetchS3, { url, parameters: KEYS }, { networks: [] })).rejects
    await refused.toThrow(/DATA_SOURCE_ALLOWED_NETWORKS/)
  })

  it('is refused if an object is larger than the limit', async () => {
    const source = { url, parameters: KEYS }
    const refused = expect(fetchAll(fetchS3, source, { fileSize: 0 })).rejects
    await refused.toThrow(/the maximum for a file|a file of a data source may have/)
  })
})

it.each([
  ['https://s3.eu-west-1.amazonaws.com/b/c/d', ['/b', 'c/d', 'eu-west-1']],
  ['https://s3.amazonaws.com/b', ['/b', '', 'us-east-1']],
  ['https://b.s3.eu-west-1.amazonaws.com/c/d', ['', 'c/d', 'eu-west-1']],
  ['https://b.s3.amazonaws.com/x', ['', 'x', 'us-east-1']],
  ['http://minio:9000/b/c', ['/b', 'c', 'us-east-1']],
])('the bucket of %s', (source, [path, prefix, region]) => {
  const url = `${new URL(source).origin}${path}`
  expect(bucketOf(source)).toEqual({ url, prefix, region })
})

import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import { onTestFinished } from 'vitest'

/** A bucket named files, on an S3 server of its own that can be stopped and started again. */
export interface TestBucket {
  readonly url: string
  /** The settings with its key. */
  readonly keys: { readonly AWS_ACCESS_KEY_ID: string; readonly AWS_SECRET_ACCESS_KEY: string }
  /** Paths on disk of the objects, in the order of their keys. */
  files(): readonly string[]
  stop(): Promise<void>
  start(): Promise<void>
  /** Stops it and deletes everything. */
  remove(): Promise<void>
}

export async function startBucket(): Promise<TestBucket> {
  const directory = mkdtempSync(join(tmpdir(), 'cadastre-bucket-'))
  const server = async (port: number) => {
    const s3 = new S3rver({
      ...{ port, address: '127.0.0.1', silent: true, directory },
      configureBuckets: [{ name: 'files', configs: [] }],
    })
    return { s3, port: (await s3.run()).port }
  }
  let running: Awaited<ReturnType<typeof server>> | undefined = await server(0)
  const { port } = running
  const stop = async () => {
    await running?.s3.close()
    running = undefined
  }
  return {
    url: `http://127.0.0.1:${port}/files`,
    keys: { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' },
    files: () =>
      globSync('files/**/*._S3rver_object', { cwd: directory })
        .toSorted()
        .map((name) => join(directory, name)),
    stop,
    start: async () => {
      running ??= await server(port)
    },
    remove: async () => {
      await stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** As `startBucket`, for one test. */
export async function bucketOfTest(): Promise<TestBucket> {
  const bucket = await startBucket()
  onTestFinished(() => bucket.remove())
  return bucket
}

import type { Access } from '../client.ts'
import type { ServerUnderTest } from './server-under-test.ts'
import { versionOfApi } from './versions.ts'

/** A server that already runs, ours or another of the same API; its processes cannot be observed. */
export async function useRemoteServer(access: Access): Promise<ServerUnderTest> {
  return {
    name: access.url,
    access,
    watched: {},
    versions: await versionOfApi(access),
    close: async () => undefined,
  }
}

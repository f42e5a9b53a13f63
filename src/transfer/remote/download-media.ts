import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Model } from '../../schema/registry.ts'
import { unescaped } from '../../schema/unescaped.ts'
import { MEDIA } from '../media.ts'
import type { Client } from './client.ts'
import { objectsOf } from './recover-hidden.ts'
import { place } from './work-directory.ts'

/** Prefix of a file's path in a data set. */
const ADDRESS = `{base}/${MEDIA}/`

/** Downloads the files that objects refer to; returns those that are not available. */
export async function downloadMedia(
  client: Client,
  directory: string,
  models: readonly Model[],
): Promise<readonly string[]> {
  const named = new Set<string>()
  for (const model of models) {
    const files = [...model.fields].flatMap(([name, { kind }]) => (kind === 'file' ? [name] : []))
    if (files.length === 0) continue
    for await (const object of objectsOf(directory, model.path)) {
      for (const value of files.map((name) => object[name])) {
        if (typeof value === 'string' && value !== '') named.add(value)
      }
    }
  }
  const missing: string[] = []
  await Promise.all(
    [...named].map(async (address) => {
      if (!(await fetchFile(client, directory, address))) missing.push(address)
    }),
  )
  return missing.sort()
}

/** False if the file is stored elsewhere, or is refused. */
async function fetchFile(client: Client, directory: string, address: string): Promise<boolean> {
  const path = pathBelow(address)
  if (path === undefined) return false
  const target = join(directory, MEDIA, path)
  if (existsSync(target)) return true
  const bytes = await client.file(`/${MEDIA}/${path.split('/').map(encodeURIComponent).join('/')}`)
  if (bytes) await place(target, (part) => writeFile(part, bytes))
  return bytes !== undefined
}

/** Path below the media directory; undefined for a path that leaves it. */
function pathBelow(address: string): string | undefined {
  if (!address.startsWith(ADDRESS)) return undefined
  const path = unescaped(address.slice(ADDRESS.length))
  const isPlain = !/[\\\0]/.test(path)
  const isBelow = path.split('/').every((name) => !/^\.*$/.test(name))
  return isPlain && isBelow ? path : undefined
}

import { expect, it, onTestFinished } from 'vitest'
import { PrimaryFinder } from './primary-finder.ts'
import type { ServerRole } from './server-role.ts'

type Servers = Readonly<Record<string, ServerRole | undefined>>

const primary = (timeline: number): ServerRole => ({ isReadOnly: false, timeline })
const standby: ServerRole = { isReadOnly: true, timeline: 0 }

/** A finder among servers `a` and `b`; `set` changes how they answer, undefined being no answer. */
function finderOf(initial: Servers, needsPrimary: boolean) {
  let servers = initial
  const readRole = async (url: string): Promise<ServerRole> => {
    const role = servers[url]
    if (!role) throw new Error(`${url} is away`)
    return role
  }
  const warnings: string[] = []
  const warn = (sentence: string) => void warnings.push(sentence)
  const finder = new PrimaryFinder({ urls: ['a', 'b'], needsPrimary, readRole, warn })
  onTestFinished(() => finder.close())
  const used = () => finder.search().then(({ url }) => url, String)
  const set = (changed: Servers) => {
    servers = changed
  }
  return { finder, warnings, used, set }
}

const cases = [
  { name: 'the first that accepts writes', servers: { a: primary(1), b: primary(1) }, used: 'a' },
  { name: 'the primary behind a standby', servers: { a: standby, b: primary(1) }, used: 'b' },
  {
    name: 'the one that was promoted last of two that accept writes',
    servers: { a: primary(1), b: primary(2) },
    used: 'b',
  },
  { name: 'a standby where no primary answers', servers: { b: standby }, used: 'b' },
  {
    name: 'none but a standby where a primary is required',
    servers: { b: standby },
    needsPrimary: true,
    used: expect.stringContaining('The database cannot be reached'),
  },
]

it.each(cases)('of several servers $name is used', async (row) => {
  const { used } = finderOf(row.servers, row.needsPrimary ?? false)
  expect(await used()).toEqual(row.used)
})

it('a former primary that becomes reachable again is not used', async () => {
  const { used, set } = finderOf({ a: primary(1), b: standby }, true)
  expect(await used()).toBe('a')
  set({ b: primary(2) })
  expect(await used()).toBe('b')
  set({ a: primary(1) })
  expect(await used()).toContain('cannot be reached')
  set({ a: primary(1), b: primary(2) })
  expect(await used()).toBe('b')
})

it('a promoted standby accepts writes, and both changes are logged', async () => {
  const { finder, warnings, used, set } = finderOf({ a: standby }, false)
  expect(await used()).toBe('a')
  expect(finder.found?.isReadOnly).toBe(true)
  set({ a: primary(2) })
  await used()
  await finder.writable
  expect(warnings).toEqual([expect.stringContaining('is a standby'), expect.stringContaining('accepts changes')])
})

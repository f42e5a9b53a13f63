import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowDifferences, storedRows } from '../history/stored-rows.ts'
import { type Api, startApi } from '../support/api.ts'
import { randomNumbers } from '../support/random-writes.ts'
import { runSize } from '../support/run-size.ts'
import { type Place, placeOf } from './places.ts'

const WORLDS = Number(process.env.WORLDS ?? runSize({ full: 2000, usual: 100 }))
const SEED = Number(process.env.SEED ?? 53)
const SITES = 5
const TEXTS = ['description', 'facility', 'comments'] as const
const CUSTOM = ['cf_one', 'cf_two'] as const

/** A site as the specification of merges sees it. */
interface Site {
  readonly values: Readonly<Record<string, string | null>>
  readonly tags: ReadonlySet<number>
}
type World = ReadonlyMap<number, Site>

/** A conflict as the specification sees it: about a field, or an object as a whole. */
const conflictOf = (id: number, field: string | null) => `${id} ${field}`

/** Three values of each field, whole objects, and tags one by one; `keeps`: decisions by conflict. */
function specified(base: World, main: World, branch: World, keeps: (conflict: string) => 'mine' | 'theirs'): World {
  const merged = new Map<number, Site>()
  for (const id of new Set([...base.keys(), ...main.keys(), ...branch.keys()])) {
    const [was, theirs, mine] = [base.get(id), main.get(id), branch.get(id)]
    const only = mine ?? theirs
    if (!was) {
      if (only) merged.set(id, only)
      continue
    }
    if (!theirs && !mine) continue
    if (!mine) {
      // Tags belong to lists, so that they alone are no change of the object.
      const isChanged = JSON.stringify(theirs?.values) !== JSON.stringify(was.values)
      if (theirs && isChanged && keeps(conflictOf(id, null)) === 'theirs') merged.set(id, theirs)
      continue
    }
    if (!theirs) {
      const isChanged = JSON.stringify(mine.values) !== JSON.stringify(was.values)
      if (isChanged && keeps(conflictOf(id, null)) === 'mine') merged.set(id, mine)
      continue
    }
    const values = Object.fromEntries(
      Object.keys(was.values).map((field) => {
        const [before, now, own] = [was.values[field], theirs.values[field], mine.values[field]]
        if (own === before || own === now) return [field, now ?? null]
        if (now === before) return [field, own ?? null]
        return [field, (keeps(conflictOf(id, field)) === 'mine' ? own : now) ?? null]
      }),
    )
    const tags = [...theirs.tags, ...mine.tags].filter((tag) =>
      was.tags.has(tag) ? theirs.tags.has(tag) && mine.tags.has(tag) : true,
    )
    merged.set(id, { values, tags: new Set(tags) })
  }
  return merged
}

describe('random worlds in which main and a branch change', () => {
  let api: Api
  let tags: readonly number[]
  beforeAll(async () => {
    api = await startApi()
    const main = placeOf(api)
    tags = await Promise.all([1, 2, 3].map((n) => main.make('extras/tags', { name: `T${n}`, slug: `t${n}` })))
    for (const name of CUSTOM)
      await main.make('extras/custom-fields', { name, type: 'text', object_types: ['dcim.site'] })
  })
  afterAll(() => api.close())

  const worldOf = async (place: Place, mark: string): Promise<World> => {
    const { results } = await place.read(`dcim/sites/?slug__isw=${mark}-&limit=0`)
    return new Map(
      [...(results ?? [])].map((site) => [
        Number(site.id),
        {
          values: Object.fromEntries([
            ...['slug', ...TEXTS].map((field) => [field, String(site[field])] as const),
            ...CUSTOM.map(
              (field) =>
                [
                  `custom_fields.${field}`,
                  site.custom_fields?.[field] ? String(site.custom_fields[field]) : null,
                ] as const,
            ),
          ]),
          tags: new Set([...(site.tags ?? [])].map(({ id }) => Number(id))),
        },
      ]),
    )
  }
  const inventory = async () =>
    Object.fromEntries(
      Object.entries(await storedRows(api.service)).filter(([name]) => !name.startsWith('core.branch')),
    )

  /** A random write to one of the sites, which may be refused; returns its request. */
  const write = async (
    place: Place,
    mark: string,
    side: string,
    random: (limit: number) => number,
  ): Promise<string> => {
    const ids = [...(await worldOf(place, mark)).keys()]
    const id = ids[random(ids.length)]
    const text = `${side} ${random(3)}`
    const kind = random(8)
    if (kind === 0 || id === undefined) {
      const name = `${mark}-${side}-${random(1e9)}`
      return await place.send('POST', 'dcim/sites', { name, slug: name, description: text })
    }
    const path = `dcim/sites/${id}`
    if (kind === 1) return await place.send('DELETE', path)
    if (kind === 2) return await place.send('PATCH', path, { tags: tags.filter(() => random(2) === 0) })
    if (kind === 3) return await place.send('PATCH', path, { custom_fields: { [CUSTOM[random(2)] ?? '']: text } })
    return await place.send('PATCH', path, { [TEXTS[random(TEXTS.length)] ?? '']: text })
  }

  /** Rotates the slugs of all sites of the branch. */
  const rotate = async (place: Place, mark: string): Promise<void> => {
    const world = [...(await worldOf(place, mark))]
    const [first] = world
    if (!first || world.length < 2) return
    const slugs = world.map(([, { values }]) => values.slug)
    const set = (id: number, slug: unknown) => place.send('PATCH', `dcim/sites/${id}`, { slug })
    await set(first[0], `${mark}-free`)
    for (const [index, [id]] of world.entries()) if (index > 0) await set(id, slugs[index - 1])
    await set(first[0], slugs.at(-1))
  }

  it(`are merged as specified, and reverted byte for byte: ${WORLDS} worlds`, async () => {
    const random = randomNumbers(SEED)
    for (let number = 0; number < WORLDS; number++) {
      const mark = `w${number}x`
      const main = placeOf(api)
      for (let n = 0; n < SITES; n++)
        await main.make('dcim/sites', {
          name: `${mark}-${n}`,
          slug: `${mark}-${n}`,
          tags: tags.filter(() => random(2) === 0),
        })
      const base = await worldOf(main, mark)
      const { json } = await api.ask('POST', '/api/core/branches/', { body: { name: `World ${number}` } })
      const path = `/api/core/branches/${json.id}/`
      const headers = { 'X-NetBox-Branch': String(json.schema_id) }
      const branch = placeOf(api, headers)
      const act = (action: string, body: object = {}) => api.ask('POST', `${path}${action}/`, { body })
      // The branch begins, so that it sees main as it was; afterwards the sides alternate on what each has touched.
      for (const id of base.keys()) await branch.send('PATCH', `dcim/sites/${id}`, { comments: 'seen' })
      for (let count = 2 + random(6); count > 0; count--) {
        const request = await write(branch, mark, 'b', random)
        if (random(4) !== 0) continue
        const undone = await api.ask('POST', `/api/core/requests/${request}/undo/`, { body: {}, headers })
        // A write of the same values has no record.
        expect([200, 404], undone.text).toContain(undone.status)
      }
      if (random(2) === 0) await rotate(branch, mark)
      const own = await worldOf(branch, mark)
      for (let count = 1 + random(6); count > 0; count--) await write(main, mark, 'm', random)
      const present = await worldOf(main, mark)
      const keeps = new Map<string, 'mine' | 'theirs'>()
      const listed = [...((await api.ask('GET', `${path}conflicts/`)).json.results ?? [])]
      const decisions = listed.map(({ object_type, object_id, field }) => {
        const keep = random(2) === 0 ? ('mine' as const) : ('theirs' as const)
        keeps.set(conflictOf(Number(object_id), field === null ? null : String(field)), keep)
        return { object_type, object_id, field, keep }
      })
      const asked = new Set<string>()
      const expected = specified(base, present, own, (conflict) => {
        asked.add(conflict)
        return keeps.get(conflict) ?? 'mine'
      })
      const said = `seed ${SEED}, world ${number}`
      const known = [...asked].filter((conflict) => conflict.endsWith('null') || !conflict.endsWith('slug'))
      for (const conflict of known) expect(keeps.has(conflict), `${said}: ${conflict}`).toBe(true)
      const before = await inventory()
      if (decisions.length > 0) {
        expect((await act('merge')).status, said).toBe(409)
        expect(rowDifferences(before, await inventory()), said).toEqual([])
        const decided = await act('conflicts', decisions)
        expect(decided.status, `${said} ${decided.text}`).toBe(200)
      }
      const merged = await act('merge')
      // A decision may leave a slug to main that the branch has given to another site.
      const isTaken = merged.status === 409 && /has this slug/.test(merged.text)
      if (!isTaken) {
        expect(merged.status, `${said} ${merged.text}`).toBe(200)
        const result = await worldOf(main, mark)
        for (const [id, site] of expected) {
          const made = result.get(id)
          // A restored site has the tags that it had on main when it was deleted.
          const isRestored = base.has(id) && !present.has(id)
          const states = [base, present, own].map((world) => world.get(id)?.values)
          expect(made?.values, `${said}, site ${id} ${JSON.stringify(states)}`).toEqual(site.values)
          if (!isRestored) expect([...(made?.tags ?? [])].sort(), `${said}, site ${id}`).toEqual([...site.tags].sort())
        }
        expect([...result.keys()].sort(), said).toEqual([...expected.keys()].sort())
        const reverted = await act('revert')
        expect(reverted.status, `${said} ${reverted.text}`).toBe(200)
      }
      expect(rowDifferences(before, await inventory()), said).toEqual([])
      await act('archive')
    }
  })
})

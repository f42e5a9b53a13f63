import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deletionOrder } from '../../src/schema/deletion-order.ts'
import type { Model } from '../../src/schema/registry.ts'
import { sql } from '../../src/sql/fragment.ts'
import { table } from '../../src/sql/table.ts'
import { KINDS_1_AND_2, listed, type Observer, openObserver } from './observer.ts'
import { tenantPath } from './tenant-path.ts'
import { kindOf } from './world.ts'

/** Models of which every user has rows of their own without any permission. */
const PERSONAL: ReadonlySet<string> = new Set([
  'extras.bookmark',
  'extras.notification',
  'extras.subscription',
  'users.token',
])
/** A row that the restrictions of most users hide, and one that they show. */
const [HIDDEN, SHOWN] = [3, 1]
/** Matches no version of an object: an allowed request gets 412 and changes nothing. */
const NOT_REALLY = { 'if-match': 'W/"never"' }

const allows = ({ definition }: Model, method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE') =>
  definition.methods?.includes(method) ?? true
const pathOf = ({ path }: Model, id?: number) => `/api/${path}/${id === undefined ? '' : `${id}/`}`

describe('every collection and method', () => {
  let world: Observer
  let models: readonly Model[]
  let types: readonly string[]
  beforeAll(async () => {
    world = await openObserver()
    // What refers to others comes first: a deletion would remove it together with them.
    const { models: inOrder } = deletionOrder(world.api.service.registry)
    models = inOrder.filter((model) => world.models.includes(model))
    types = world.models.map(({ name }) => name)
  })
  afterAll(() => world.close())

  const status = async (method: string, path: string, body?: unknown, headers = {}) =>
    (await world.ask(method, path, { body, headers })).status
  /** Rows as stored, from which the expected responses are computed. */
  const rowsOf = (model: Model) =>
    world.api.service.database.query<{ id: number } & Record<string, unknown>>(
      sql`select * from ${table(model)} order by id`,
    )
  /** Responses of models that differ from the usual ones. */
  const differences = async (
    ask: (model: Model) => Promise<readonly unknown[]>,
    expected: (model: Model) => readonly unknown[] | Promise<readonly unknown[]>,
  ) => {
    const found: Record<string, unknown> = {}
    for (const model of models) {
      const [is, wanted] = [JSON.stringify(await ask(model)), JSON.stringify(await expected(model))]
      if (is !== wanted) found[model.name] = `${is} instead of ${wanted}`
    }
    return found
  }
  const writes = (model: Model, id: number) => [
    ...(allows(model, 'PATCH')
      ? [
          () => status('PATCH', pathOf(model, id), {}, NOT_REALLY),
          () => status('PUT', pathOf(model, id), {}, NOT_REALLY),
        ]
      : []),
    ...(allows(model, 'DELETE') ? [() => status('DELETE', pathOf(model, id), undefined, NOT_REALLY)] : []),
  ]
  const all = async (asked: readonly (() => Promise<number>)[]) => {
    const found: number[] = []
    for (const ask of asked) found.push(await ask())
    return found
  }

  it('without a permission nothing is shown or changed', async () => {
    await world.allow()
    const isOpen = (model: Model) => PERSONAL.has(model.name) || model.definition.everybodyMayView === true
    const found = await differences(
      async (model) => {
        if (isOpen(model)) return []
        const read = [() => status('GET', pathOf(model)), () => status('GET', pathOf(model, SHOWN))]
        const create = allows(model, 'POST') ? [() => status('POST', pathOf(model), {})] : []
        const bulk = allows(model, 'PATCH') ? [() => status('PATCH', pathOf(model), [{ id: SHOWN }])] : []
        const asked = [...(allows(model, 'GET') ? read : []), ...create, ...bulk, ...writes(model, SHOWN)]
        return [...new Set(await all(asked))]
      },
      (model) => (isOpen(model) ? [] : [403]),
    )
    expect(found).toEqual({})
  })

  it('personal objects are shown to their owner', async () => {
    await world.allow()
    const found = await differences(
      async (model) =>
        PERSONAL.has(model.name)
          ? listed(await world.ask('GET', `${pathOf(model)}?limit=1000`)).ids.sort((a, b) => a - b)
          : [],
      async (model) =>
        PERSONAL.has(model.name)
          ? (await rowsOf(model)).filter((row) => row.user_id === world.user).map(({ id }) => id)
          : [],
    )
    expect(found).toEqual({})
  })

  it('the permission to view shows everything and allows no change', async () => {
    // Change records are shown together with their objects, which must be visible too.
    await world.allow({ types, actions: ['view'] })
    const found = await differences(
      async (model) => {
        const list = listed(await world.ask('GET', `${pathOf(model)}?limit=1000&fields=id`))
        const written = PERSONAL.has(model.name) ? [] : await all(writes(model, SHOWN))
        return [list.count, list.ids.length, ...new Set(written)]
      },
      async (model) => {
        const { length } = await rowsOf(model)
        const isWritten = !PERSONAL.has(model.name) && writes(model, SHOWN).length > 0
        return [length, length, ...(isWritten ? [403] : [])]
      },
    )
    expect(found).toEqual({})
  })

  it('constraints apply to lists, counts, pages and details', async () => {
    await world.allow({ types, actions: ['view'], constraints: KINDS_1_AND_2 })
    const isListed = (model: Model) => allows(model, 'GET') && !isTold(model)
    const found = await differences(
      async (model) => {
        if (!isListed(model)) return []
        const list = listed(await world.ask('GET', `${pathOf(model)}?limit=1000&fields=id`))
        const brief = listed(await world.ask('GET', `${pathOf(model)}?brief=1&limit=1`))
        const hidden = await status('GET', pathOf(model, HIDDEN))
        return [
          list.count,
          list.ids.sort((a, b) => a - b),
          brief.count,
          hidden,
          await status('GET', pathOf(model, SHOWN)),
        ]
      },
      async (model) => {
        if (!isListed(model)) return []
        const rows = (await rowsOf(model)).map(({ id }) => id)
        const isMine = await ownRows(model)
        const seen = rows.filter((id) => kindOf(id) !== 3 || isMine.has(id))
        return [seen.length, seen, seen.length, 404, 200]
      },
    )
    expect(found).toEqual({})
  })

  it('constraints apply to changes and deletions, one by one and in bulk', async () => {
    const actions = ['change', 'delete']
    await world.allow({ types, actions, constraints: KINDS_1_AND_2 })
    const found = await differences(
      async (model) => {
        const hidden = [...new Set(await all(writes(model, HIDDEN)))]
        const shown = await all(writes(model, SHOWN))
        const bulk = allows(model, 'DELETE') ? [await status('DELETE', pathOf(model), [{ id: HIDDEN }])] : []
        const isLeft = (await rowsOf(model)).some(({ id }) => id === HIDDEN)
        const isRefused = shown.some((each) => each === 403 || each === 404)
        return [hidden, !isTold(model) && isRefused, bulk, isLeft]
      },
      (model) => {
        const isChanged = writes(model, HIDDEN).length > 0
        // Collections that came with API 4.7 refuse unknown ids; the others ignore them.
        const passed = model.definition.earlier === 'absent' ? 400 : 204
        return [isChanged ? [404] : [], false, allows(model, 'DELETE') ? [passed] : [], true]
      },
    )
    expect(found).toEqual({})
  })

  it('objects of other tenants are not shown', async () => {
    const paths = new Map(
      models.flatMap((model) => {
        const path = tenantPath(model)
        return path ? [[model, path] as const] : []
      }),
    )
    expect(paths.size).toBeGreaterThan(20)
    const shown = new Map<Model, readonly number[]>()
    for (const [model, path] of paths) {
      const constraints = { [`${path.join('__')}__slug`]: 'value-2' }
      await world.allow({ types: [model.name], actions: ['view'], constraints })
      shown.set(model, listed(await world.ask('GET', `${pathOf(model)}?limit=1000&fields=id`)).ids)
    }
    const found = await differences(
      async (model) => [...(shown.get(model) ?? [])].sort((a, b) => a - b),
      async (model) => {
        const path = paths.get(model)
        return path ? await rowsOfTenant(model, path, 2) : []
      },
    )
    expect(found).toEqual({})
  })

  /** Whether a model's rows are shown only with other objects; these models have their own tests. */
  const isTold = ({ definition }: Model): boolean =>
    definition.visibleWith !== undefined || definition.visible !== undefined || definition.everybodyMayView === true

  /** Rows that a default permission shows in addition to those of the constraint. */
  const ownRows = async (model: Model): Promise<ReadonlySet<number>> =>
    new Set(
      PERSONAL.has(model.name)
        ? (await rowsOf(model)).filter((row) => row.user_id === world.user).map(({ id }) => id)
        : [],
    )

  /** Ids of the rows from which foreign keys lead to the tenant, found row by row. */
  const rowsOfTenant = async (model: Model, path: readonly string[], tenant: number) => {
    let here = model
    let ends = (await rowsOf(model)).map((row) => ({ id: row.id, row }))
    for (const name of path) {
      const step = here.steps.get(name)
      if (step?.kind !== 'foreignKey') throw new Error(`${here.name} has no relation ${name}`)
      const next = new Map((await rowsOf(step.to)).map((row) => [row.id, row]))
      ends = ends.flatMap(({ id, row }) => {
        const led = next.get(Number(row[step.column.name]))
        return led ? [{ id, row: led }] : []
      })
      here = step.to
    }
    return ends.filter(({ row }) => row.id === tenant).map(({ id }) => id)
  }
})

/** What cages do: one without a tenant is free, and programs can let several at once. */
import {
  type AnyRow,
  action,
  behaviourOf,
  invalid,
  jsonResponse,
  packCode,
  settingsOfPack,
  sql,
  table,
  writeWith,
} from 'cadastre'

const CAGE = 'cages.cage'

export default packCode({
  behaviours: [
    behaviourOf(CAGE, { normalize: [({ next }) => (next.tenant === null ? { status: 'free' } : undefined)] }),
  ],
  actions: [
    action({
      path: 'plugins/cages/let',
      title: 'Let Cages',
      description: 'Lets all free cages of a location to a tenant.',
      methods: {
        POST: {
          permission: { change: CAGE },
          body: {
            type: 'object',
            required: ['location', 'tenant'],
            properties: { location: { type: 'integer' }, tenant: { type: 'integer' } },
          },
          answer: { type: 'object', properties: { let: { type: 'integer' } } },
          handle: (request) =>
            writeWith(request, async ({ database, update }) => {
              const { location, tenant } = ((await request.body.read()) ?? {}) as AnyRow
              if (!Number.isSafeInteger(location)) throw invalid({ location: ['A valid integer is required.'] })
              const cages = await database.query<{ id: number }>(
                sql`select id from ${table(CAGE)} where location_id = ${location}::bigint and status = 'free' order by id`,
              )
              await update(
                CAGE,
                cages.map(({ id }) => ({ id, body: { status: 'let', tenant } })),
              )
              return jsonResponse(200, { let: cages.length })
            }),
        },
      },
    }),
  ],
  jobs: [
    {
      name: 'count',
      label: 'Count of free cages',
      everyMinutes: 60,
      run: async ({ service, log }) => {
        const [row] = await service.database.query<{ count: number }>(
          sql`select count(*)::int as count from ${table(CAGE)} where status = 'free'`,
        )
        log.info(`${row?.count ?? 0} cages are free.`)
      },
    },
  ],
  commands: {
    limit: {
      about: 'Print how many free cages a location needs.',
      run: async ({ service, print }) => print(String((await settingsOfPack(service, 'cages')).warn_below)),
    },
  },
})

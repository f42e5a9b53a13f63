import { sql } from '../sql/fragment.ts'
import { json } from './answer.ts'
import type { Endpoint } from './endpoint.ts'

/** GET /health/: whether the service and its database answer; for load balancers, without credentials. */
export const health: Endpoint = {
  name: 'Health',
  description: 'Whether the service and its database answer.',
  isPublic: true,
  negotiates: true,
  methods: {
    GET: async ({ service }) => {
      await service.database.query(sql`select 1`)
      return json(200, { status: 'ok' })
    },
  },
}

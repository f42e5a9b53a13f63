import { ApiError } from '../../errors.ts'
import { staticFile } from '../../pages/static-files.ts'
import type { Endpoint } from '../endpoint.ts'
import { unlessKnown } from '../transport/etag.ts'

/** GET /static/<name>: styles and scripts of the pages. */
export const staticFiles: Endpoint = {
  name: 'Static files',
  description: 'Styles and scripts of the pages.',
  isPublic: true,
  negotiates: true,
  isFile: true,
  methods: {
    GET: async ({ parameters, search, headers }) => {
      const file = staticFile(parameters.at(-1) ?? '')
      if (!file) throw new ApiError({ kind: 'notFound', detail: 'Not found.' })
      const { type, body, version } = file
      // Scripts import one another without a version; those are revalidated by their entity tags.
      const isNamed = search.get('v') === version
      const kept = {
        'Cache-Control': isNamed ? 'public, max-age=31536000, immutable' : 'no-cache',
        ETag: `W/"${version}"`,
      }
      return unlessKnown({ status: 200, type, body, headers: kept }, headers['if-none-match'])
    },
  },
}

import { createServer } from 'node:http'
import pg from 'pg'

// The minimum that such a server has to do: it queries the database for the rows of a page and sends a prebuilt body.
// Started by measure.ts; prints its port once it listens.

/** Configuration of the process, passed at its start. */
export interface BareTask {
  readonly databaseUrl: string
  /** Pages by path. */
  readonly pages: Readonly<Record<string, BarePage>>
}

export interface BarePage {
  readonly statement: string
  readonly values: readonly (string | null)[]
  readonly body: string
}

/** Values stay text: this server does not decode them. */
const asText = () => (text: string) => text

process.once('message', (task: BareTask) => {
  const pool = new pg.Pool({
    connectionString: task.databaseUrl,
    max: 10,
    // The library wants an overload for binary values, which are never requested.
    types: { getTypeParser: asText as typeof pg.types.getTypeParser },
  })
  const pages = new Map(
    Object.entries(task.pages).map(([path, { statement, values, body }], index) => [
      path,
      {
        query: {
          name: `page${index}`,
          text: statement,
          values: [...values],
          rowMode: 'array' as const,
        },
        body: Buffer.from(body),
      },
    ]),
  )
  const server = createServer((request, response) => {
    const page = pages.get(request.url ?? '')
    if (!page) {
      response.writeHead(404).end()
      return
    }
    pool.query(page.query).then(
      () => {
        response.writeHead(200, {
          'content-type': 'application/json',
          'content-length': page.body.length,
        })
        response.end(page.body)
      },
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    process.send?.(typeof address === 'object' ? address?.port : undefined)
  })
})

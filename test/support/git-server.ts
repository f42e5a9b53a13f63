import { spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'

/** Serves the repositories below a directory over HTTP, with git's own CGI program. */
export interface GitServer {
  readonly url: string
  close(): Promise<void>
}

/** Starts a server on a free local port. `credentials`, as `user:password`, are then required. */
export async function startGitServer(directory: string, credentials?: string): Promise<GitServer> {
  const server = createServer((request, response) => {
    if (credentials !== undefined && request.headers.authorization !== basic(credentials)) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
      return
    }
    answer(directory, request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const basic = (credentials: string): string => `Basic ${Buffer.from(credentials).toString('base64')}`

const END_OF_HEADERS = '\r\n\r\n'

/** Runs git's CGI program for one request. */
async function answer(directory: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: directory,
      GIT_HTTP_EXPORT_ALL: '1',
      REQUEST_METHOD: request.method,
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: request.headers['content-type'],
      CONTENT_LENGTH: request.headers['content-length'],
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const sending = pipeline(request, child.stdin).catch(() => undefined)
  const chunks: Buffer[] = []
  for await (const chunk of child.stdout) chunks.push(chunk)
  await sending
  const output = Buffer.concat(chunks)
  const end = output.indexOf(END_OF_HEADERS)
  const headers = output.subarray(0, end).toString('latin1').split('\r\n')
  let status = 200
  for (const header of headers) {
    const [name = '', ...value] = header.split(': ')
    if (name === 'Status') status = Number.parseInt(value.join(': '), 10)
    else response.setHeader(name, value.join(': '))
  }
  response.writeHead(status).end(output.subarray(end + END_OF_HEADERS.length))
}

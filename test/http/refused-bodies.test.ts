import { Agent, type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ADMIN_TOKEN, type Api, startApi } from '../support/api.ts'

/** Far more than sockets and streams buffer. */
const LARGE = 'x'.repeat(1_500_000)
const BOUNDARY = 'multipart/form-data; boundary=b'

const part = (name: string, content: string, file = '') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${file && `; filename="${file}"`}\r\n\r\n${content}\r\n`

/** Bodies that cannot be read, each larger than what is buffered. */
const BODIES: Readonly<Record<string, readonly [type: string | undefined, body: string]>> = {
  'a form without a boundary': ['multipart/form-data', LARGE],
  'a form with an empty boundary': ['multipart/form-data; boundary=', LARGE],
  'a form without parts': [BOUNDARY, LARGE],
  'a form that ends within a file': [BOUNDARY, part('image', LARGE, 'a.png')],
  'a form that ends within a field': [BOUNDARY, part('name', LARGE)],
  'a form with a broken part': [BOUNDARY, `--b\r\nno header\r\n\r\n${LARGE}`],
  'a form with too many parts': [BOUNDARY, part('name', 'x'.repeat(1_000)).repeat(1_500)],
  'a form with too many files': [BOUNDARY, part('name', 'x'.repeat(1_000), 'f').repeat(1_500)],
  'a form with a part named after a property of objects': [BOUNDARY, part('__proto__', 'x') + part('name', LARGE)],
  'a form with a file named after a property of objects': [BOUNDARY, part('toString', 'x', 'f') + part('name', LARGE)],
  'a form with an invalid document': [
    BOUNDARY,
    `--b\r\nContent-Disposition: form-data; name="x"\r\nContent-Type: application/json\r\n\r\n{\r\n${part('y', LARGE)}`,
  ],
  'a form with a file above the limit': [BOUNDARY, `${part('image', LARGE + LARGE, 'a.png')}--b--\r\n`],
  'a form above the limit in total': [BOUNDARY, `${part('a', LARGE) + part('b', LARGE) + part('c', LARGE)}--b--\r\n`],
  'a JSON document above the limit': ['application/json', `"${LARGE}${LARGE}"`],
  'a JSON document with an error': ['application/json', `{${LARGE}`],
  'an unknown type': ['application/x-unknown', LARGE],
  'no type': [undefined, LARGE],
  'an invalid type': [';;;', LARGE],
  'a URL-encoded form with an error': ['application/x-www-form-urlencoded', '&'.repeat(1_500_000)],
}

/** Routes that read a body, or refuse a request before they read it. */
const ROUTES: Readonly<Record<string, readonly [method: string, path: string, token: string | undefined]>> = {
  'the login page': ['POST', '/login/', undefined],
  'a list': ['POST', '/api/extras/tags/', ADMIN_TOKEN],
  'a list, without a token': ['POST', '/api/extras/tags/', undefined],
  'a list, with a wrong token': ['POST', '/api/extras/tags/', 'wrong'],
  'an import, without a session': ['POST', '/dcim/sites/import/', undefined],
  'an upload of a script': ['POST', '/api/extras/scripts/upload/', ADMIN_TOKEN],
  'a missing object': ['PATCH', '/api/extras/tags/99/', ADMIN_TOKEN],
  'a path that does not exist': ['POST', '/api/nothing/', ADMIN_TOKEN],
  'a method that is not allowed': ['POST', '/api/status/', ADMIN_TOKEN],
  'a read': ['GET', '/api/extras/tags/', ADMIN_TOKEN],
  GraphQL: ['POST', '/graphql/', ADMIN_TOKEN],
}

let api: Api

beforeAll(async () => {
  api = await startApi({ MAX_BODY_SIZE: '2000000' })
})
afterAll(() => api.close())

const CASES = Object.keys(BODIES).flatMap((body) => Object.keys(ROUTES).map((route) => [body, route] as const))

it.each(CASES)('after %s for %s, the next request on the connection is answered', async (bodyName, routeName) => {
  const [type, body] = BODIES[bodyName] ?? []
  const [method = '', path = '', token] = ROUTES[routeName] ?? []
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const send = (method: string, path: string, headers: Record<string, string>, body?: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      request(api.url + path, { agent, method, headers, signal: AbortSignal.timeout(5_000) }, resolve)
        .on('error', reject)
        .end(body)
    })
  const refused = await send(
    method,
    path,
    {
      accept: 'application/json',
      ...(token && { authorization: `Token ${token}` }),
      ...(type && { 'content-type': type }),
      'content-length': String(body?.length),
    },
    body,
  )
  refused.resume()
  const next = await send('GET', '/api/status/', { authorization: `Token ${ADMIN_TOKEN}` })
  expect([next.statusCode, await json(next)]).toEqual([200, expect.objectContaining({ plugins: {} })])
  agent.destroy()
})

it.each([
  ['POST', '/api/dcim/sites/', 'region'],
  ['POST', '/api/dcim/sites/', 'asns'],
  ['POST', '/api/dcim/sites/', 'tags'],
  ['POST', '/api/dcim/sites/', 'name'],
  ['POST', '/api/dcim/sites/', 'latitude'],
  ['POST', '/api/dcim/sites/', 'custom_fields'],
  ['POST', '/api/dcim/locations/', 'parent'],
  ['POST', '/api/dcim/cables/', 'a_terminations'],
  ['POST', '/api/ipam/prefixes/', 'scope_id'],
  ['POST', '/api/ipam/vlan-groups/', 'vid_ranges'],
  ['POST', '/api/extras/config-contexts/', 'data'],
  ['POST', '/api/extras/saved-filters/', 'parameters'],
  ['POST', '/api/extras/custom-field-choice-sets/', 'extra_choices'],
  ['PATCH', '/api/extras/dashboard/', 'layout'],
  ['PATCH', '/api/extras/dashboard/', 'config'],
  ['PATCH', '/api/users/config/', 'tables'],
  ['POST', '/api/apply/', 'objects'],
  ['POST', '/graphql/', 'query'],
] as const)('%s %s with a file as %s is refused', async (method, path, field) => {
  const body = new FormData()
  body.set(field, new Blob(['{}']), 'file.json')
  const { status, text } = await api.ask(method, path, { body })
  expect(status, text).toBe(400)
})

import { once } from 'node:events'
import { type ClientHttp2Stream, connect as connectHttp2, createServer as createHttp2Server } from 'node:http2'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { sharedPort } from './shared-port.ts'

/** A port whose servers respond with their protocol and the body. */
async function openPort() {
  const http2 = createHttp2Server((request, response) => void text(request).then((body) => response.end(`2 ${body}`)))
  const port = sharedPort(
    {},
    (request, response) => void text(request).then((body) => response.end(`1 ${body}`)),
    http2,
  )
  const { server } = port
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { ...port, http2, number: (server.address() as AddressInfo).port } // It listens on a port.
}

const received = async (socket: Socket, ending: string): Promise<string> => {
  let all = ''
  for await (const chunk of socket) {
    all += String(chunk)
    if (all.endsWith(ending)) break
  }
  return all
}

it('requests of both protocols get responses, HTTP/1.1 on one connection', async () => {
  const { number } = await openPort()
  const answers = await Promise.all(
    [1, 2, 3].map(async (n) =>
      (await fetch(`http://127.0.0.1:${number}/`, { method: 'POST', body: String(n).repeat(200_000) })).text(),
    ),
  )
  expect(answers.map((answer) => [answer.slice(0, 3), answer.length])).toEqual(
    [1, 2, 3].map((n) => [`1 ${n}`, 200_002]),
  )
  const session = connectHttp2(`http://127.0.0.1:${number}`)
  onTestFinished(() => session.close())
  const stream: ClientHttp2Stream = session.request({ ':method': 'POST', ':path': '/' })
  stream.end('x'.repeat(100_000))
  expect((await text(stream)).length).toBe(100_002)
})

it.each([
  ['byte by byte', ['P', 'O', 'S', 'T / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nok']],
  ['that begins as HTTP/2 does', ['PR', 'OPFIND / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nok']],
  ['in two packets', ['POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\no', 'k']],
])('a request of HTTP/1.1 %s gets a response', async (_name, parts) => {
  const { number } = await openPort()
  const socket = connect(number, '127.0.0.1').setNoDelay()
  for (const part of parts) {
    socket.write(part)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  expect(await received(socket, '1 ok\r\n0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 OK[\s\S]*1 ok/)
})

it('a server that stops does not wait for connections that have sent nothing', async () => {
  const { server, closeUnused, number } = await openPort()
  const client = connect(number, '127.0.0.1')
  await once(client, 'connect')
  await new Promise((resolve) => setTimeout(resolve, 20))
  const [closed, ended] = [once(server, 'close'), once(client, 'close')]
  server.close()
  closeUnused()
  await Promise.all([closed, ended])
  expect(client.bytesRead).toBe(0)
})

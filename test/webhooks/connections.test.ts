import { readFileSync } from 'node:fs'
import { createServer as createPlainServer } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sceneOfTest } from './scene.ts'

const folder = join(import.meta.dirname, 'certificate')
/** A certificate for 127.0.0.1 that is its own authority. */
const CERTIFICATE = join(folder, 'certificate.pem')

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port // It listens on a port.
}

describe('an https receiver with a certificate of its own', () => {
  it.each([
    ['is refused by default', {}, false],
    ['is accepted with its authority', { ca_file_path: CERTIFICATE }, true],
    ['is accepted without verification', { ssl_verification: false }, true],
    ['is refused with a file that does not exist', { ca_file_path: '/nonexistent.pem' }, false],
  ])('%s', async (_name, webhook, isDelivered) => {
    const scene = await sceneOfTest()
    let count = 0
    const server = createServer(
      { cert: readFileSync(CERTIFICATE), key: readFileSync(join(folder, 'key.pem')) },
      (_request, response) => {
        count += 1
        response.setHeader('connection', 'close').end()
      },
    )
    const port = await portOf(server)
    await scene.addWebhook({ payload_url: `https://127.0.0.1:${port}/`, ...webhook })
    await scene.addSite('ams1')
    await scene.settle()
    expect(count).toBe(isDelivered ? 1 : 0)
    expect(await scene.deliveries()).toMatchObject([{ status: { value: isDelivered ? 'delivered' : 'retrying' } }])
  })
})

describe('a proxy', () => {
  const proxyOfTest = async () => {
    const targets: (string | undefined)[] = []
    const port = await portOf(
      createPlainServer((request, response) => {
        targets.push(request.url)
        response.setHeader('connection', 'close').end()
      }),
    )
    return { targets, url: `http://127.0.0.1:${port}` }
  }

  it('gets the requests, and resolves the names of the receivers', async () => {
    const proxy = await proxyOfTest()
    const scene = await sceneOfTest({ HTTP_PROXY: proxy.url })
    await scene.addWebhook({ payload_url: 'http://receiver.invalid/hook' })
    await scene.addSite('ams1')
    await scene.settle()
    expect(proxy.targets).toEqual(['http://receiver.invalid/hook'])
  })

  it('does not get requests to private addresses', async () => {
    const proxy = await proxyOfTest()
    const scene = await sceneOfTest({ HTTP_PROXY: proxy.url })
    await scene.addWebhook({ payload_url: 'http://169.254.169.254/latest' })
    await scene.addSite('ams1')
    await scene.settle()
    expect(proxy.targets).toEqual([])
  })

  it('does not get requests to hosts that NO_PROXY names', async () => {
    const proxy = await proxyOfTest()
    const environment = {
      HTTP_PROXY: proxy.url,
      NO_PROXY: '127.0.0.1',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    }
    const scene = await sceneOfTest(environment)
    const receiver = await proxyOfTest()
    await scene.addWebhook({ payload_url: `${receiver.url}/hook` })
    await scene.addSite('ams1')
    await scene.settle()
    expect([proxy.targets, receiver.targets]).toEqual([[], ['/hook']])
  })
})

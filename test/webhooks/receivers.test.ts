import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { receiverOfTest } from '../support/receiver.ts'
import { sceneOfTest } from './scene.ts'

/** Endlessly, one byte every ten milliseconds. */
function trickle(response: ServerResponse): void {
  const timer = setInterval(() => response.write('x'), 10)
  response.on('close', () => clearInterval(timer))
}

/** As much as the client accepts; `sent` counts the bytes. */
function flood(response: ServerResponse, sent: { bytes: number }): void {
  const chunk = Buffer.alloc(65_536, 'x')
  const write = () => {
    while (!response.destroyed && sent.bytes < 2 ** 30) {
      sent.bytes += chunk.length
      if (!response.write(chunk)) return
    }
  }
  response.on('drain', write)
  write()
}

describe('receivers of webhooks', () => {
  it('receivers that are silent, slow or send without end do not delay others', async () => {
    const scene = await sceneOfTest()
    const silent = await receiverOfTest(() => undefined)
    const slow = await receiverOfTest((response) => trickle(response))
    const sent = { bytes: 0 }
    const flooding = await receiverOfTest((response) => flood(response, sent))
    const receiver = await receiverOfTest()
    for (const { url } of [silent, slow, flooding, receiver]) {
      await scene.addWebhook({ payload_url: url })
    }
    scene.api.background.start()
    const names = Array.from({ length: 20 }, (_, index) => `ams${index}`)
    for (const name of names) await scene.addSite(name)
    await eventually(() => expect(receiver.received).toHaveLength(names.length))
    await eventually(async () => {
      const path = '/api/extras/webhook-deliveries/?status=delivered'
      const { json } = await scene.api.ask('GET', path)
      // Including those of the flooding receiver: the start of its response is enough.
      expect(json.count).toBe(2 * names.length)
    })
    expect(sent.bytes).toBeLessThan(names.length * 16 * 2 ** 20)
  })

  it('a receiver that does not respond in time has failed', async () => {
    const networks = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', webhookTimeout: 100 }
    const scene = await sceneOfTest(networks)
    const silent = await receiverOfTest(() => undefined)
    await scene.addWebhook({ payload_url: silent.url })
    await scene.addSite('ams1')
    await scene.settle()
    expect(await scene.deliveries()).toMatchObject([
      {
        status: { value: 'retrying' },
        response_status: null,
        attempts: [{ status: null, error: 'The receiver did not respond within 0.1 s.' }],
      },
    ])
  })

  it('redirects are not followed', async () => {
    const scene = await sceneOfTest()
    const target = await receiverOfTest()
    const receiver = await receiverOfTest((response) => {
      response.writeHead(307, { location: target.url }).end()
    })
    await scene.addWebhook({ payload_url: receiver.url })
    await scene.addSite('ams1')
    await scene.settle()
    expect(receiver.received).toHaveLength(1)
    expect(target.received).toHaveLength(0)
    expect(await scene.deliveries()).toMatchObject([{ status: { value: 'retrying' }, response_status: 307 }])
  })

  it.each(['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '0x7f.1'])(
    'the address %s is not contacted unless the configuration names it',
    async (host) => {
      const scene = await sceneOfTest({})
      const receiver = await receiverOfTest()
      const { port } = new URL(receiver.url)
      await scene.addWebhook({ payload_url: `http://${host}:${port}/` })
      await scene.addSite('ams1')
      await scene.settle()
      expect(receiver.received).toHaveLength(0)
      expect(await scene.deliveries()).toMatchObject([
        { attempts: [{ error: expect.stringContaining('WEBHOOK_ALLOWED_NETWORKS') }] },
      ])
    },
  )
})

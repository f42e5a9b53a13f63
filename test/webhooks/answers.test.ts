import { describe, expect, it } from 'vitest'
import { receiverOfTest } from '../support/receiver.ts'
import { sceneOfTest } from './scene.ts'

describe('the response of a receiver', () => {
  it.each([
    ['characters that look like an escape', '\\u0000', '\\u0000'],
    ['the character 0', 'a\0b', 'a\ufffdb'],
    ['backslashes before it', '\\\\\0', '\\\\\ufffd'],
    ['half of a pair of surrogates, escaped', '\\ud800', '\\ud800'],
  ])('may contain %s', async (_, sent, shown) => {
    const scene = await sceneOfTest()
    const receiver = await receiverOfTest((response) => void response.end(sent))
    await scene.addWebhook({ payload_url: receiver.url })
    await scene.addSite('ams1')
    await scene.settle()
    expect(await scene.deliveries()).toMatchObject([
      { status: { value: 'delivered' }, attempts: [{ status: 200, response: shown }] },
    ])
  })
})

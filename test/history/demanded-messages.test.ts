import { describe, expect, test } from 'vitest'
import { type Api, startApi } from '../support/api.ts'

const REFUSAL = { changelog_message: ['This field is required.'] }

describe.each([
  ['none', true],
  ['people', true],
  ['tokens', false],
  ['all', false],
])('a program with a token, CHANGELOG_MESSAGE_REQUIRED=%s', (demanded, isAllowed) => {
  test(isAllowed ? 'needs no message' : 'needs a message for every change', async () => {
    const api = await startApi({ CHANGELOG_MESSAGE_REQUIRED: demanded })
    try {
      const changelog_message = 'why'
      const named = { name: 'S1', slug: 's1' }
      await expectAnswer(api, ['POST', '', named], isAllowed ? 201 : REFUSAL)
      const { json } = await api.ask('POST', '/api/dcim/sites/', {
        body: { name: 'S2', slug: 's2', changelog_message },
      })
      const path = `${json.id}/`
      await expectAnswer(api, ['PATCH', path, { facility: 'f' }], isAllowed ? 200 : REFUSAL)
      await expectAnswer(api, ['PATCH', path, { facility: 'g', changelog_message }], 200)
      const match = '?match=slug'
      await expectAnswer(api, ['PUT', match, { slug: 's2', facility: 'h' }], isAllowed ? 200 : REFUSAL)
      const matched = { slug: 's2', facility: 'i', changelog_message }
      await expectAnswer(api, ['PUT', match, matched], 200)
      if (!isAllowed) await expectAnswer(api, ['DELETE', path, undefined], REFUSAL)
      await expectAnswer(api, ['DELETE', path, { changelog_message }], 204)
    } finally {
      await api.close()
    }
  })
})

async function expectAnswer(
  api: Api,
  [method, path, body]: readonly [string, string, unknown],
  expected: number | object,
): Promise<void> {
  const { status, text } = await api.ask(method, `/api/dcim/sites/${path}`, { body })
  if (typeof expected === 'number') expect(status, text).toBe(expected)
  else {
    expect(status, text).toBe(400)
    expect(JSON.parse(text)).toEqual(expected)
  }
}

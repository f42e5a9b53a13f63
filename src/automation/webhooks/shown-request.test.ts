import { expect, it } from 'vitest'
import { shownRequest } from './attempt.ts'

it('a shown request contains neither its body nor values that may be secrets', () => {
  const shown = shownRequest({
    url: new URL('https://me:pw-1@example.com/hook?event=created&api_token=pw-2'),
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Authorization: 'Bearer pw-3',
      'X-API-Key': 'pw-4',
      'X-Hook-Signature': 'pw-5',
      'X-Hook-Delivery': 'id',
    },
    body: Buffer.from('pw-6'),
  })
  expect(JSON.stringify(shown)).not.toContain('pw-')
  expect(shown).toMatchObject({
    method: 'POST',
    url: 'https://example.com/hook?event=created&api_token=********',
    headers: { 'Content-Type': 'application/json', 'X-Hook-Delivery': 'id' },
    body_size: 4,
  })
})

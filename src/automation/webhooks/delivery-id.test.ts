import { expect, it } from 'vitest'
import { deliveryId } from './new-deliveries.ts'

it('ids are UUIDs of version 7 and sort in the order of their creation, even if the clock goes back', () => {
  const times = [...Array.from({ length: 5_000 }, () => 1_800_000_000_000), 1_700_000_000_000]
  const ids = times.map(deliveryId)
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) {
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  }
})

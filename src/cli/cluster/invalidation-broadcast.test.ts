import { expect, it } from 'vitest'
import { InvalidationBroadcast } from './invalidation-broadcast.ts'
import type { ToWorker } from './messages.ts'

function cluster(count: number) {
  const broadcast = new InvalidationBroadcast<{ send(message: ToWorker): void }>()
  const workers = Array.from({ length: count }, () => {
    const received: ToWorker[] = []
    const worker = { send: (message: ToWorker) => received.push(message) }
    broadcast.add(worker)
    return { worker, received }
  })
  const [author, first, second] = workers
  if (!author || !first || !second) throw new Error('A cluster has three workers here')
  const isAcknowledged = () => author.received.some(({ kind }) => kind === 'acknowledged')
  const confirmAll = ({ worker, received }: typeof first) => {
    for (const message of received) {
      if (message.kind === 'invalidate') broadcast.confirm(worker, message.invalidation)
    }
  }
  return { broadcast, author, first, second, isAcknowledged, confirmAll }
}

it('a change is acknowledged when the last of the other workers has confirmed it', () => {
  const { broadcast, author, first, second, isAcknowledged, confirmAll } = cluster(3)
  broadcast.publish(author.worker, 7, ['dcim.site'])
  expect(first.received).toMatchObject([{ kind: 'invalidate', changes: ['dcim.site'] }])
  confirmAll(first)
  expect(isAcknowledged()).toBe(false)
  confirmAll(second)
  expect(author.received).toEqual([{ kind: 'acknowledged', change: 7 }])
})

it('a change does not wait for a worker that has ended', () => {
  const { broadcast, author, first, second, isAcknowledged, confirmAll } = cluster(3)
  broadcast.publish(author.worker, 1, ['dcim.site'])
  confirmAll(first)
  broadcast.remove(second.worker)
  expect(isAcknowledged()).toBe(true)
})

it('changes of several workers are acknowledged separately', () => {
  const { broadcast, author, first, second, isAcknowledged } = cluster(3)
  broadcast.publish(first.worker, 1, ['dcim.rack'])
  broadcast.publish(author.worker, 1, ['dcim.site'])
  const [fromFirst] = second.received
  const id = fromFirst?.kind === 'invalidate' ? fromFirst.invalidation : -1
  broadcast.confirm(second.worker, id)
  broadcast.confirm(author.worker, id)
  expect(first.received).toContainEqual({ kind: 'acknowledged', change: 1 })
  expect(isAcknowledged()).toBe(false)
})

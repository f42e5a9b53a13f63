import { expect, it } from 'vitest'
import type { ToWorker } from './messages.ts'
import { Tellings } from './tellings.ts'

function cluster(count: number) {
  const tellings = new Tellings<{ send(message: ToWorker): void }>()
  const workers = Array.from({ length: count }, () => {
    const heard: ToWorker[] = []
    const worker = { send: (message: ToWorker) => heard.push(message) }
    tellings.add(worker)
    return { worker, heard }
  })
  const [teller, first, second] = workers
  if (!teller || !first || !second) throw new Error('A cluster has three workers here')
  const isSettled = () => teller.heard.some(({ kind }) => kind === 'settled')
  const forgot = ({ worker, heard }: typeof first) => {
    for (const { kind, telling } of heard) if (kind === 'forget') tellings.settle(worker, telling)
  }
  return { tellings, teller, first, second, isSettled, forgot }
}

it('a change is settled when the last of the others has forgotten', () => {
  const { tellings, teller, first, second, isSettled, forgot } = cluster(3)
  tellings.tell(teller.worker, 7, ['dcim.site'])
  expect(first.heard).toMatchObject([{ kind: 'forget', models: ['dcim.site'] }])
  forgot(first)
  expect(isSettled()).toBe(false)
  forgot(second)
  expect(teller.heard).toEqual([{ kind: 'settled', telling: 7 }])
})

it('a worker that is gone is not waited for', () => {
  const { tellings, teller, first, second, isSettled, forgot } = cluster(3)
  tellings.tell(teller.worker, 1, ['dcim.site'])
  forgot(first)
  tellings.remove(second.worker)
  expect(isSettled()).toBe(true)
})

it('tellings of several workers do not mix', () => {
  const { tellings, teller, first, second, isSettled } = cluster(3)
  tellings.tell(first.worker, 1, ['dcim.rack'])
  tellings.tell(teller.worker, 1, ['dcim.site'])
  const [ofFirst] = second.heard
  tellings.settle(second.worker, ofFirst?.telling ?? -1)
  tellings.settle(teller.worker, ofFirst?.telling ?? -1)
  expect(first.heard).toContainEqual({ kind: 'settled', telling: 1 })
  expect(isSettled()).toBe(false)
})

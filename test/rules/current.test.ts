import { expect, it } from 'vitest'
import { importDataSet } from '../../src/transfer/import-directory.ts'
import { apiOfTest } from '../support/api.ts'
import { randomNumbers } from '../support/random-writes.ts'
import { runSize } from '../support/run-size.ts'
import { type Ask, expectedFindings, RandomWorld, storedFindings } from './random-world.ts'

it('findings equal a full evaluation of all rules after any changes, their undo, branches and imports', async () => {
  const seed = Number(process.env.SEED ?? Math.floor(Date.now() / 86_400_000))
  const pick = randomNumbers(seed)
  const api = await apiOfTest({ API_VERSION: '4.7' })
  const ask: Ask = (method, path, body) => api.ask(method, path, body === undefined ? {} : { body })
  const world = new RandomWorld(pick)
  await world.prepare(ask)
  for (let index = 0; index < 12; index += 1) await world.grow(ask)
  let broken = 0
  const compare = async (step: string): Promise<void> => {
    await api.background.runUntilIdle()
    const expected = await expectedFindings(api.service)
    broken += expected.length
    expect(await storedFindings(api.service), `seed ${seed}, ${step}`).toEqual(expected)
  }
  await compare('at first')
  for (let step = 0; step < runSize({ full: 400, usual: 80 }); step += 1) {
    if (pick(20) === 0) {
      await importDataSet(api.service, world.dataSet(), { source: 'elsewhere', prefer: 'source' })
      await compare(`step ${step}, import`)
    } else await compare(`step ${step}, ${await world.change(ask)}`)
  }
  expect(broken).toBeGreaterThan(0)
})

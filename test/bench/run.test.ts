import { expect, it } from 'vitest'
import { generateInventory } from '../../bench/data/generate.ts'
import { probeDataset } from '../../bench/dataset.ts'
import { runBenchmark } from '../../bench/run.ts'
import { useRemoteServer } from '../../bench/servers/remote-server.ts'
import { PAGES } from '../../bench/shapes/pages.ts'
import { READS } from '../../bench/shapes/reads.ts'
import { pastName } from '../../bench/shapes/shape.ts'
import { WRITES } from '../../bench/shapes/writes.ts'
import { ADMIN_TOKEN, apiOfTest } from '../support/api.ts'
import { openServerDatabase } from '../support/database.ts'

/** Creating thousands of interfaces would take too long here. */
const isWanted = (name: string): boolean => !/\d devices|1,000 addresses/.test(name)

it('every request of the benchmark succeeds, and the objects that it created are removed', async () => {
  const { service, url } = await apiOfTest(openServerDatabase)
  await generateInventory(service, { devices: 60, prefixes: 60 })
  const access = { url, token: ADMIN_TOKEN }
  const { counts } = await probeDataset(access)
  const target = await useRemoteServer(access)
  const lines: string[] = []
  const result = await runBenchmark(target, {
    isWanted,
    seconds: 0.02,
    connections: [1],
    readOnly: false,
    limit: false,
    nothingKept: false,
    progress: (line) => lines.push(line),
  })
  const names = new Set(result.measurements.map(({ name }) => name))
  const steps = WRITES.flatMap(({ steps }) => steps).filter(({ isUnmeasured }) => !isUnmeasured)
  const declared = [
    ...READS.flatMap(({ name, hasPast }) => (hasPast ? [name, pastName(name)] : [name])),
    ...[...PAGES, ...steps].map(({ name }) => name),
  ]
  expect([...names]).toEqual(declared.filter(isWanted))
  expect(lines.filter((line) => line.includes('nothing to ask for'))).toEqual([])
  expect((await probeDataset(access)).counts).toEqual(counts)
})

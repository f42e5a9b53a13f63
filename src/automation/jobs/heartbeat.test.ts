import { expect, test } from 'vitest'
import type { Service } from '../../service.ts'
import { heartbeat } from './heartbeat.ts'
import { JobLog } from './job-log.ts'
import type { Run } from './worker.ts'

const clock = { now: () => 0 }

const runOf = (id: number): Run => ({
  task: { id } as Run['task'], // nothing else of it is used
  log: new JobLog(clock),
  controller: new AbortController(),
})

test('a job that starts while the heartbeat is looking for stopped jobs is not taken for stopped', async () => {
  const [stopped, running, beginning] = [runOf(1), runOf(2), runOf(3)]
  const runs = new Map([stopped, running].map((run) => [run.task.id, run]))
  const database = {
    query: async () => {
      runs.set(3, beginning)
      return [{ id: 2 }]
    },
    execute: async () => 0,
  }
  const service = { clock, database } as unknown as Service // the heartbeat uses nothing else
  await heartbeat(service, [], runs).turn(new AbortController().signal)
  const isAborted = ({ controller }: Run) => controller.signal.aborted
  expect([stopped, running, beginning].map(isAborted)).toEqual([true, false, false])
})

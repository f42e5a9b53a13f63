import { constants, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { LimitExceeded } from './limits.ts'
import type { PythonProcess } from './process.ts'
import { snapshotsIn } from './snapshot-store.ts'
import { processStarter } from './start-process.ts'

const limits = { processor: 20_000, clock: 120_000 }
const nothing = async () => null
const directory = mkdtempSync(join(tmpdir(), 'cadastre-snapshots-'))
const snapshots = snapshotsIn(directory)
const signal = new AbortController().signal

const starter = processStarter({ program: 'templates', facts: '{}', memory: 512 }, snapshots)

const start = async (): Promise<PythonProcess> => {
  const child = await starter.start(signal)
  onTestFinished(() => child.kill())
  return child
}

describe('a process that renders templates', () => {
  // Makes the snapshot from which the processes of the tests start.
  beforeAll(async () => {
    await starter.prepare(signal)
    return () => rmSync(directory, { recursive: true })
  })

  it('ends when a template takes too long', async () => {
    const child = await start()
    const quick = { templates: ['{{ 6 * 7 }}', '{{ 1 / 0 }}'], longest: 10 }
    expect(await child.run(quick, nothing, limits)).toEqual({
      results: [{ text: '42' }, { error: expect.stringContaining('ZeroDivisionError') }],
    })

    const loops = '{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}'
    const slow = child.run({ templates: [loops], longest: 10 }, nothing, {
      processor: 300,
      clock: 120_000,
    })
    await expect(slow).rejects.toThrow(LimitExceeded)
    expect(child.isUsable).toBe(false)
    await child.ended
  })

  it.runIf(existsSync('/proc/self/fdinfo/0'))('sleeps while it waits for a job', async () => {
    const child = await start()
    const input = readFileSync(`/proc/${child.pid}/fdinfo/0`, 'utf8')
    const flags = Number.parseInt(/flags:\s*(\d+)/.exec(input)?.[1] ?? '', 8)
    // Reads of such an input return at once, so the process could only poll it.
    expect(flags & constants.O_NONBLOCK).toBe(0)
  })

  it('ends when the client disconnects', async () => {
    const child = await start()
    const client = new AbortController()
    const answer = async () => {
      client.abort(new Error('gone'))
      return await new Promise(() => undefined)
    }
    const job = { templates: ['{% include "x" %}'], source: 7, longest: 10 }
    await expect(child.run(job, answer, limits, client.signal)).rejects.toThrow('gone')
    await child.ended
  })

  it('queries the files that a template includes', async () => {
    const questions: unknown[] = []
    const answer = async (question: unknown) => {
      questions.push(question)
      return 'included {{ x }}'
    }
    const job = {
      templates: ['{% include "a/b.j2" %}'],
      context: { x: 1 },
      source: 7,
      longest: 100,
    }
    const child = await start()
    expect(await child.run(job, answer, limits)).toEqual({ results: [{ text: 'included 1' }] })
    expect(questions).toEqual([{ ask: 'file', source: 7, path: 'a/b.j2' }])
  })

  it('reports a failed query as an error of the template', async () => {
    const answer = async () => {
      throw new Error('no such thing')
    }
    const job = { templates: ['{% include "x" %}'], source: 7, longest: 100 }
    const child = await start()
    expect(await child.run(job, answer, limits)).toEqual({
      results: [{ error: 'FieldError: no such thing (line 1)' }],
    })
  })

  it('uses different random numbers from the next process of the same snapshot', async () => {
    const draw = '{{ range(99999)|random }}'
    const job = { templates: [`${draw} ${draw} ${draw}`], longest: 100 }
    const one = await (await start()).run(job, nothing, limits)
    const second = await (await start()).run(job, nothing, limits)
    expect(one).toEqual({ results: [{ text: expect.stringMatching(/^[\d ]+$/) }] })
    expect(one).not.toEqual(second)
  })
})

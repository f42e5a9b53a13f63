import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Loop, startLoop, type TurnResult } from './loop.ts'

/** A loop whose turns are counted, with the results of the first turns; later turns are idle. */
function observedLoop(...results: readonly (TurnResult | Error)[]) {
  const observed = { turns: 0, errors: [] as string[] }
  const loop = startLoop({
    name: 'the work',
    idleMs: 60_000,
    log: { error: (_details, message) => observed.errors.push(message) },
    turn: async () => {
      const result = results[observed.turns++] ?? 'idle'
      if (result instanceof Error) throw result
      return result
    },
  })
  running.push(loop)
  return { loop, observed }
}

const running: Loop[] = []

describe('a loop', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(async () => {
    await Promise.all(running.splice(0).map((loop) => loop.stop()))
    vi.useRealTimers()
  })

  it('runs a turn at once, and the next when the idle time is over', async () => {
    const { observed } = observedLoop()
    expect(observed.turns).toBe(1)
    await vi.advanceTimersByTimeAsync(59_999)
    expect(observed.turns).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(observed.turns).toBe(2)
  })

  it('continues at once for as long as there is more to do', async () => {
    const { observed } = observedLoop('again', 'again', 'idle')
    await vi.advanceTimersByTimeAsync(0)
    expect(observed.turns).toBe(3)
  })

  it('runs a turn when it is woken', async () => {
    const { loop, observed } = observedLoop()
    await vi.advanceTimersByTimeAsync(10)
    loop.wake()
    await vi.advanceTimersByTimeAsync(0)
    expect(observed.turns).toBe(2)
  })

  it('runs another turn when it is woken during one', async () => {
    const { loop, observed } = observedLoop()
    loop.wake()
    loop.wake()
    await vi.advanceTimersByTimeAsync(0)
    expect(observed.turns).toBe(2)
  })

  it('repeats a failed turn after delays that grow to half a minute, and logs each failure', async () => {
    const failures = Array.from({ length: 7 }, () => new Error('no'))
    const { loop, observed } = observedLoop(...failures)
    for (const [index, seconds] of [1, 2, 4, 8, 16, 30, 30].entries()) {
      loop.wake()
      await vi.advanceTimersByTimeAsync(seconds * 1_000 - 1)
      expect(observed.turns).toBe(index + 1)
      await vi.advanceTimersByTimeAsync(1)
      expect(observed.turns).toBe(index + 2)
    }
    expect(observed.errors).toEqual(failures.map(() => 'the work failed and is repeated'))
  })

  it('waits for the turn that is running when it stops, and aborts its signal', async () => {
    const { promise: turnEnds, resolve: endTurn } = Promise.withResolvers<void>()
    let signal: AbortSignal | undefined
    let isStopped = false
    const loop = startLoop({
      name: 'the work',
      idleMs: 60_000,
      log: { error: () => undefined },
      turn: async (turnSignal) => {
        signal = turnSignal
        await turnEnds
        return 'again'
      },
    })
    const stopped = loop.stop().then(() => {
      isStopped = true
    })
    await vi.advanceTimersByTimeAsync(0)
    expect([signal?.aborted, isStopped]).toEqual([true, false])
    endTurn()
    await stopped
    expect(isStopped).toBe(true)
  })

  it('runs no turn after it has been stopped', async () => {
    const { loop, observed } = observedLoop()
    await loop.stop()
    loop.wake()
    await vi.advanceTimersByTimeAsync(120_000)
    expect(observed.turns).toBe(1)
  })
})

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Pace } from './pace.ts'

describe('turns of background work', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** A pace after a turn that found work, and the times at which it woke the loop, in milliseconds after that. */
  const paceAfterWork = () => {
    const start = performance.now()
    const woken: number[] = []
    const pace = new Pace(() => woken.push(performance.now() - start))
    pace.ended('work')
    return { pace, woken }
  }

  it('are due at once after a longer pause', async () => {
    const { pace } = paceAfterWork()
    await vi.advanceTimersByTimeAsync(250)
    expect(pace.isDue(false)).toBe(true)
  })

  it('are delayed by some milliseconds, so that more work gathers', async () => {
    const { pace, woken } = paceAfterWork()
    expect(pace.isDue(true)).toBe(false)
    await vi.advanceTimersByTimeAsync(20)
    expect(woken).toEqual([20])
    expect(pace.isDue(true)).toBe(true)
  })

  it('are delayed for longer while no client waits for the work', async () => {
    const { pace, woken } = paceAfterWork()
    await vi.advanceTimersByTimeAsync(30)
    expect(pace.isDue(false)).toBe(false)
    await vi.advanceTimersByTimeAsync(100)
    expect(pace.isDue(false)).toBe(false)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(woken).toEqual([250])
    expect(pace.isDue(false)).toBe(true)
  })

  it('are hurried if they were delayed, and not started without work', async () => {
    const { pace, woken } = paceAfterWork()
    await vi.advanceTimersByTimeAsync(30)
    pace.hurry()
    expect(woken).toEqual([])
    pace.isDue(false)
    pace.hurry()
    expect(woken).toEqual([30])
    expect(pace.isDue(true)).toBe(true)
  })
})

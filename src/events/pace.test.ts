import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Pace } from './pace.ts'

const calmly = async () => false
const urgently = async () => true

describe('turns', () => {
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
    expect(await pace.isDue(calmly)).toBe(true)
  })

  it('are delayed by some milliseconds, so that more work gathers', async () => {
    const { pace, woken } = paceAfterWork()
    expect(await pace.isDue(urgently)).toBe(false)
    await vi.advanceTimersByTimeAsync(20)
    expect(woken).toEqual([20])
    expect(await pace.isDue(urgently)).toBe(true)
  })

  it('are delayed for longer while no client waits for the work', async () => {
    const { pace, woken } = paceAfterWork()
    await vi.advanceTimersByTimeAsync(30)
    expect(await pace.isDue(calmly)).toBe(false)
    await vi.advanceTimersByTimeAsync(100)
    expect(await pace.isDue(calmly)).toBe(false)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(woken).toEqual([250])
    expect(await pace.isDue(calmly)).toBe(true)
  })

  it('are not asked for their urgency with every wake', async () => {
    const { pace, woken } = paceAfterWork()
    await vi.advanceTimersByTimeAsync(30)
    const isUrgent = vi.fn(calmly)
    for (let wake = 0; wake < 5; wake++) expect(await pace.isDue(isUrgent)).toBe(false)
    expect(isUrgent).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(20)
    expect(woken).toEqual([50])
    expect(await pace.isDue(urgently)).toBe(true)
  })

  it('are hurried if they were delayed, and not started without work', async () => {
    const { pace, woken } = paceAfterWork()
    await vi.advanceTimersByTimeAsync(30)
    pace.hurry()
    expect(woken).toEqual([])
    await pace.isDue(calmly)
    pace.hurry()
    expect(woken).toEqual([30])
    expect(await pace.isDue(urgently)).toBe(true)
  })
})

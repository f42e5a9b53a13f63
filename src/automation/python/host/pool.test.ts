import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LimitExceeded } from './limits.ts'
import { IDLE, LONGEST_WAIT, MOST_WAITING, type PooledProcess, ProcessPool } from './pool.ts'

/** A process whose jobs end on the test's command. */
class FakeProcess implements PooledProcess {
  isUsable = true
  readonly ended: Promise<void>
  readonly jobs: { readonly end: () => void; readonly signal: AbortSignal | undefined }[] = []
  readonly #end: () => void

  constructor() {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.ended = promise
    this.#end = resolve
  }

  run: PooledProcess['run'] = async (job, _answer, _limits, signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.jobs.push({ end: resolve, signal })
    signal?.addEventListener('abort', () => {
      this.kill()
      reject(signal.reason)
    })
    await promise
    return job
  }

  kill(): void {
    this.isUsable = false
    this.#end()
  }

  hold(): void {}
}

interface Start {
  readonly signal: AbortSignal
  readonly succeed: (process: PooledProcess) => void
  readonly fail: (error: Error) => void
}

const setup = () => {
  const starts: Start[] = []
  const preparations: (() => void)[] = []
  const pool = new ProcessPool({
    prepare: () => new Promise((resolve) => preparations.push(resolve)),
    start: (signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<PooledProcess>()
      starts.push({ signal, succeed: resolve, fail: reject })
      return promise
    },
  })
  /** Lets a preparation succeed. */
  const prepare = async (index: number): Promise<void> => {
    preparations[index]?.()
    await settle()
  }
  const render = (id: number, signal?: AbortSignal) => pool.run({ id }, async () => null, signal)
  /** Lets a start succeed; returns its process. */
  const succeed = async (index: number): Promise<FakeProcess> => {
    const process = new FakeProcess()
    starts[index]?.succeed(process)
    await settle()
    return process
  }
  return { starts, preparations, pool, render, prepare, succeed }
}

/** Runs everything that does not wait for a timer. */
const settle = () => vi.advanceTimersByTimeAsync(0)
const unavailable = { reason: { kind: 'unavailable' } }

describe('renderings', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('are run one after the other by a process that has started', async () => {
    const { render, succeed, starts } = setup()
    const first = render(1)
    const process = await succeed(0)
    process.jobs[0]?.end()
    expect(await first).toEqual({ id: 1 })
    const second = render(2)
    await settle()
    process.jobs[1]?.end()
    expect(await second).toEqual({ id: 2 })
    expect(starts).toHaveLength(1)
  })

  it('start a second process only after the first has started, and never a third', async () => {
    const { render, succeed, starts } = setup()
    for (const id of [1, 2, 3, 4]) void render(id)
    expect(starts).toHaveLength(1)
    await succeed(0)
    expect(starts).toHaveLength(2)
    await succeed(1)
    expect(starts).toHaveLength(2)
  })

  it('that were canceled do not abort the start that they caused', async () => {
    const { render, succeed, starts } = setup()
    const early = render(1)
    early.catch(() => undefined)
    await vi.advanceTimersByTimeAsync(LONGEST_WAIT)
    await expect(early).rejects.toMatchObject(unavailable)
    expect(starts[0]?.signal.aborted).toBe(false)
    const late = render(2)
    const process = await succeed(0)
    process.jobs[0]?.end()
    expect(await late).toEqual({ id: 2 })
    expect(starts).toHaveLength(1)
  })

  it('whose clients disconnect are dropped, waiting or running', async () => {
    const { render, succeed, starts } = setup()
    const clients = [1, 2, 3].map(() => new AbortController())
    const waiting = clients.map(({ signal }, id) => render(id, signal))
    const outcomes = Promise.allSettled(waiting)
    clients[1]?.abort('gone')
    const process = await succeed(0)
    clients[0]?.abort('gone')
    await settle()
    expect(process.isUsable).toBe(false)
    const second = await succeed(1)
    second.jobs[0]?.end()
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
    expect(second.jobs).toHaveLength(1)
    expect(starts).toHaveLength(2)
  })

  it('are refused at once when too many wait', async () => {
    const { render } = setup()
    for (let id = 0; id < MOST_WAITING; id += 1) render(id).catch(() => undefined)
    await expect(render(-1)).rejects.toMatchObject(unavailable)
  })

  it('are refused at once if the earlier ones would take too long', async () => {
    const { render, succeed } = setup()
    const slow = render(1)
    const process = await succeed(0)
    // One rendering of ten minutes raises the average to two minutes.
    await vi.advanceTimersByTimeAsync(600_000)
    process.jobs[0]?.end()
    await slow
    void render(2)
    void render(3)
    render(4).catch(() => undefined)
    await expect(render(5)).rejects.toMatchObject(unavailable)
  })

  it.each([
    ['takes too long', new LimitExceeded(1), unavailable],
    ['fails', new Error('broken'), { message: 'broken' }],
  ])(
    'are refused when the start %s, and the next one tries to start a process again',
    async (_name, error, refusal) => {
      const { render, starts } = setup()
      const refused = render(1)
      starts[0]?.fail(error)
      await expect(refused).rejects.toMatchObject(refusal)
      render(2).catch(() => undefined)
      expect(starts).toHaveLength(2)
    },
  )

  it('are refused when the service stops, and all processes end', async () => {
    const { render, pool, succeed, starts } = setup()
    render(1).catch(() => undefined)
    const busy = await succeed(0)
    const waiting = render(2)
    waiting.catch(() => undefined)
    pool.close()
    await expect(waiting).rejects.toMatchObject(unavailable)
    await expect(render(3)).rejects.toMatchObject(unavailable)
    expect(busy.isUsable).toBe(false)
    expect(starts[1]?.signal.aborted).toBe(true)
  })
})

describe('a process without work', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('ends after a while', async () => {
    const { render, succeed } = setup()
    const done = render(1)
    const process = await succeed(0)
    process.jobs[0]?.end()
    await done
    await vi.advanceTimersByTimeAsync(IDLE)
    expect(process.isUsable).toBe(false)
  })

  it('is prepared and started if one must always be ready, and does not end', async () => {
    const { pool, render, prepare, succeed, starts, preparations } = setup()
    pool.keepWarm(true)
    pool.keepWarm(true)
    expect(preparations).toHaveLength(1)
    expect(starts).toHaveLength(0)
    await prepare(0)
    const process = await succeed(0)
    await vi.advanceTimersByTimeAsync(3 * IDLE)
    expect(process.isUsable).toBe(true)
    const done = render(1)
    await settle()
    process.jobs[0]?.end()
    expect(await done).toEqual({ id: 1 })
    expect(starts).toHaveLength(1)
  })

  it('is replaced when it ends', async () => {
    const { pool, prepare, succeed, starts } = setup()
    pool.keepWarm(true)
    await prepare(0)
    const process = await succeed(0)
    process.kill()
    await settle()
    await prepare(1)
    expect(starts).toHaveLength(2)
  })

  it('is not awaited while it is prepared at a low priority, and not started twice', async () => {
    const { pool, render, prepare, succeed, starts } = setup()
    pool.keepWarm(true)
    void render(1)
    expect(starts).toHaveLength(1)
    await prepare(0)
    expect((await succeed(0)).jobs).toHaveLength(1)
    expect(starts).toHaveLength(1)
  })

  it('is awaited once it has been prepared', async () => {
    const { pool, render, prepare, succeed, starts } = setup()
    pool.keepWarm(true)
    await prepare(0)
    void render(1)
    expect((await succeed(0)).jobs).toHaveLength(1)
    expect(starts).toHaveLength(1)
  })

  it('is not started over and over again if starting fails', async () => {
    const { pool, prepare, starts, preparations } = setup()
    pool.keepWarm(true)
    await prepare(0)
    starts[0]?.fail(new Error('broken'))
    await settle()
    expect([preparations.length, starts.length]).toEqual([1, 1])
  })

  it('ends after a while once no process has to be ready any more', async () => {
    const { pool, prepare, succeed, starts } = setup()
    pool.keepWarm(true)
    await prepare(0)
    const process = await succeed(0)
    pool.keepWarm(false)
    await vi.advanceTimersByTimeAsync(IDLE)
    expect(process.isUsable).toBe(false)
    expect(starts).toHaveLength(1)
  })

  it.each([
    ['at once if it is idle', 0],
    ['after the renderings that run or wait', 3],
  ])('ends %s once the pool is retired', async (_, renderings) => {
    const { pool, render, succeed, starts } = setup()
    const first = render(0)
    const process = await succeed(0)
    process.jobs[0]?.end()
    await first
    const later = Array.from({ length: renderings }, (_, index) => render(index + 1))
    await settle()
    pool.retire()
    expect(process.isUsable).toBe(renderings > 0)
    for (let job = 1; job <= renderings; job++) {
      process.jobs[job]?.end()
      await settle()
    }
    expect(await Promise.all(later)).toHaveLength(renderings)
    expect(process.isUsable).toBe(false)
    if (renderings > 0) await succeed(1)
    expect(starts.length).toBeLessThanOrEqual(2)
  })

  it('is started for a rendering of a retired pool, and ends after it', async () => {
    const { pool, render, succeed } = setup()
    pool.retire()
    const done = render(1)
    const process = await succeed(0)
    process.jobs[0]?.end()
    expect(await done).toEqual({ id: 1 })
    expect(process.isUsable).toBe(false)
  })
})

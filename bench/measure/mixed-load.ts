import { type Access, ask, send } from '../client.ts'
import type { Measurement, MixedLoad } from '../result.ts'
import { MIXED_COLLECTIONS, pagesOf } from '../shapes/mixed.ts'
import { unlike } from './read-load.ts'
import { sendRepeatedly } from './repeated-requests.ts'
import { summarise } from './summary.ts'
import { cpuBetween, cpuTimes, type Watched } from './usage.ts'

const READERS = 8
const CHANGES_PER_SECOND = 20

/** One part of a collection: the paths of its pages, and of the objects on them. */
interface Part {
  readonly pages: readonly string[]
  readonly objects: readonly string[]
}

/**
 * Pages and single objects, half and half, read over eight connections: first alone, then beside a writer that changes
 * twenty of these objects per second. Once with requests that repeat, once with distinct requests.
 */
export async function measureMixedLoad(
  access: Access,
  watched: Watched,
  seconds: number,
): Promise<MixedLoad[]> {
  const parts = await Promise.all(
    MIXED_COLLECTIONS.map((collection) => explorePart(access, collection)),
  )
  const filled = parts.filter(({ objects }) => objects.length > 0)
  const measured: MixedLoad[] = []
  for (const varied of [true, false]) {
    const read = async (name: string, duration: number): Promise<Measurement> => {
      const next = pathsOf(filled)
      const before = cpuTimes(watched)
      const sent = await sendRepeatedly(access, {
        method: 'GET',
        connections: READERS,
        next: () => ({ path: varied ? unlike(next()) : next() }),
        length: { duration },
      })
      const cpu = cpuBetween(before, cpuTimes(watched))
      return summarise({ name, connections: READERS, varied, ...sent, bytes: 0, cpu })
    }
    await read('warm-up', seconds)
    const alone = await read('mixed reads, alone', seconds)
    const writer = startWriter(access, filled)
    const beside = await read('mixed reads, beside a writer', seconds)
    const writes = await writer.stop()
    measured.push({ alone, beside, writes: summarise({ ...writes, varied, ...WRITER }) })
  }
  return measured
}

const WRITER = {
  name: 'changes of one object',
  connections: 1,
  bytes: 0,
  cpu: { server: null, database: null },
}

async function explorePart(access: Access, collection: string): Promise<Part> {
  const pages = pagesOf(collection)
  const objects: string[] = []
  for (const page of pages) {
    const { results } = (await ask(access, 'GET', page)) as { results: readonly { id: number }[] } // a list of this API
    objects.push(...results.map(({ id }) => `${collection}${id}/`))
  }
  return { pages, objects }
}

/** Paths in an order that is the same for every run: a page, an object, a page, … of each part in turn. */
function pathsOf(parts: readonly Part[]): () => string {
  let turn = 0
  return () => {
    const part = parts[Math.floor(turn / 2) % parts.length]
    const paths = turn % 2 === 0 ? part?.pages : part?.objects
    turn++
    return paths?.[spread(turn, paths.length)] ?? '/'
  }
}

/** Knuth's multiplicative hash: neighbouring numbers fall far apart. */
const spread = (number: number, length: number): number =>
  ((number * 2_654_435_761) % 4_294_967_296) % length

/** Changes that may be refused before the writer gives up. */
const MAX_REFUSALS = 100

interface Writer {
  /** Ends the writing; what was written. */
  stop(): Promise<{ readonly times: readonly number[]; readonly seconds: number }>
}

/** Changes one object after the other at a fixed rate, as long as each response arrives before the next change is due. */
function startWriter(access: Access, parts: readonly Part[]): Writer {
  const times: number[] = []
  const start = performance.now()
  let isStopped = false
  let lastRefusal: unknown
  const objects = parts.map((part) => part.objects)
  const write = async () => {
    // A short run goes on until one change was accepted.
    const isOver = (turn: number) => isStopped && (times.length > 0 || turn >= MAX_REFUSALS)
    for (let turn = 0; !isOver(turn); turn++) {
      const due = start + (turn * 1000) / CHANGES_PER_SECOND
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
      if (isOver(turn)) break
      const paths = objects[turn % objects.length] ?? []
      const path = paths[spread(turn, paths.length)] ?? ''
      try {
        const { milliseconds } = await send(access, 'PATCH', path, {
          description: `change ${turn}`,
        })
        times.push(milliseconds)
      } catch (error) {
        // Made-up objects do not all obey the rules; the next one will.
        lastRefusal = error
      }
    }
  }
  const writing = write()
  return {
    stop: async () => {
      isStopped = true
      await writing
      if (times.length === 0) throw new Error('No change was accepted', { cause: lastRefusal })
      return { times, seconds: (performance.now() - start) / 1000 }
    },
  }
}

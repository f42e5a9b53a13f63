import { eventStreamOf } from './event-stream.ts'
import type { EventBatch } from './read-events.ts'
import { RECHECK_INTERVAL, readNext, type StreamReader } from './reader.ts'

/**
 * The next events after the position; waits for them at most this number of milliseconds, or until the signal is
 * aborted. Throws `unauthenticated` and `forbidden` soon after the reader has lost the right to read.
 */
export async function waitForEvents(
  reader: StreamReader,
  after: number,
  { milliseconds, signal }: { readonly milliseconds: number; readonly signal: AbortSignal },
): Promise<EventBatch> {
  const stream = eventStreamOf(reader.service)
  const end = performance.now() + milliseconds
  let position = after
  for (;;) {
    const batch = await readNext(reader, position)
    const remaining = end - performance.now()
    const isOver = remaining <= 0 || signal.aborted || stream.isClosed
    if (batch.events.length > 0 || !batch.isEnd || isOver) return batch
    position = batch.position
    await stream.waitBeyond(position, { milliseconds: Math.min(remaining, RECHECK_INTERVAL), signal })
  }
}

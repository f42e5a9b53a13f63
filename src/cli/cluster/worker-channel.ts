import type { ChangeListener, OtherProcesses } from '../../db/database.ts'
import { type FromWorker, isMessage, type ToWorker } from './messages.ts'

/** The other workers, reached through the primary process. */
interface WorkerChannel extends OtherProcesses {
  /** Reports that this worker accepts requests at the address. */
  reportListening(address: string): void
}

/** Opens the channel; call it once, before this worker caches anything. Throws if there is no primary process. */
export function openWorkerChannel(): WorkerChannel {
  let listener: Pick<ChangeListener, 'invalidate'> | undefined
  let nextChange = 0
  const unacknowledged = new Map<number, () => void>()
  process.on('message', (message: unknown) => {
    if (!isMessage<ToWorker>(message)) return
    if (message.kind === 'invalidate') {
      listener?.invalidate(message.changes)
      send({ kind: 'invalidated', invalidation: message.invalidation })
    } else if (message.kind === 'acknowledged') {
      unacknowledged.get(message.change)?.()
      unacknowledged.delete(message.change)
    }
  })
  send({ kind: 'subscribed' })
  return {
    subscribe: (to) => {
      listener = to
    },
    invalidate: (changes) => {
      const change = nextChange++
      const { promise, resolve } = Promise.withResolvers<void>()
      unacknowledged.set(change, resolve)
      send({ kind: 'changed', change, changes: [...changes] })
      return promise
    },
    reportListening: (address) => send({ kind: 'listening', address }),
  }
}

function send(message: FromWorker): void {
  if (!process.send) throw new Error('This process is not a worker')
  process.send(message)
}

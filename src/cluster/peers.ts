import type { ChangeListener, Peers } from '../storage/database.ts'
import { type FromWorker, isMessage, type ToWorker } from './messages.ts'

/** The other workers, as one of them reaches them through the primary process. */
export interface WorkerPeers extends Peers {
  /** Says that this worker answers at the address. */
  serves(address: string): void
}

/** To be called once, before this worker remembers anything. Throws where there is no primary process. */
export function joinPeers(): WorkerPeers {
  let listener: Pick<ChangeListener, 'forget'> | undefined
  let next = 0
  const waiting = new Map<number, () => void>()
  process.on('message', (message: unknown) => {
    if (!isMessage<ToWorker>(message)) return
    if (message.kind === 'forget') {
      listener?.forget(message.models)
      send({ kind: 'forgot', telling: message.telling })
    } else if (message.kind === 'settled') {
      waiting.get(message.telling)?.()
      waiting.delete(message.telling)
    }
  })
  send({ kind: 'hears' })
  return {
    subscribe: (to) => {
      listener = to
    },
    tell: (models) => {
      const telling = next++
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.set(telling, resolve)
      send({ kind: 'changed', telling, models: [...models] })
      return promise
    },
    serves: (address) => send({ kind: 'serves', address }),
  }
}

function send(message: FromWorker): void {
  if (!process.send) throw new Error('This process is no worker')
  process.send(message)
}

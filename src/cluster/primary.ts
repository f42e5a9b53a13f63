import cluster, { type Worker } from 'node:cluster'
import { ConfigurationError } from '../errors.ts'
import { type FromWorker, isMessage } from './messages.ts'
import { Tellings } from './tellings.ts'

/** Milliseconds before a worker that ended is replaced: one that ends at once must not busy the machine. */
const PAUSE = 1_000

export interface ClusterOptions {
  readonly workers: number
  /** Called once, when the first worker answers. */
  readonly onServing: (address: string) => void
  readonly warn: (sentence: string) => void
}

/**
 * Starts workers that share this program's port, replaces those that end, and passes on what they
 * change. Resolves when all have ended after a signal; throws when one ends before any has answered.
 */
export function runCluster({ workers, onServing, warn }: ClusterOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const tellings = new Tellings<Worker>()
  let isServing = false
  let isStopping = false

  const hear = (worker: Worker, message: FromWorker) => {
    if (message.kind === 'hears') tellings.add(worker)
    else if (message.kind === 'changed') tellings.tell(worker, message.telling, message.models)
    else if (message.kind === 'forgot') tellings.settle(worker, message.telling)
    else if (!isServing) {
      isServing = true
      onServing(message.address)
    }
  }
  const start = () => {
    const worker = cluster.fork()
    // A message to a worker that has just ended; its end is dealt with below.
    worker.on('error', () => undefined)
    worker.on('message', (message: unknown) => {
      if (isMessage<FromWorker>(message)) hear(worker, message)
    })
    worker.on('exit', (code, signal) => {
      tellings.remove(worker)
      if (isStopping) {
        if (Object.keys(cluster.workers ?? {}).length === 0) resolve()
      } else if (!isServing) {
        stop('SIGTERM')
        reject(new ConfigurationError('No worker could start; why is said above.'))
      } else {
        warn(`A worker has ended (${signal ?? code}) and is replaced.`)
        setTimeout(() => isStopping || start(), PAUSE)
      }
    })
  }
  const stop = (signal: NodeJS.Signals) => {
    // A second signal does not wait.
    const sent = isStopping ? 'SIGKILL' : signal
    isStopping = true
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(sent)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  for (let count = 0; count < workers; count++) start()
  return promise
}

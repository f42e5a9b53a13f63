import cluster, { type Worker } from 'node:cluster'
import { ConfigurationError } from '../../base/errors.ts'
import { InvalidationBroadcast } from './invalidation-broadcast.ts'
import { type FromWorker, isMessage } from './messages.ts'

/**
 * Milliseconds before an ended worker is replaced, so that a worker that fails at once does not keep the machine busy.
 */
const PAUSE = 1_000

interface ClusterOptions {
  readonly workers: number
  /** Called once, when the first worker accepts requests. */
  readonly onServing: (address: string) => void
  readonly warn: (sentence: string) => void
}

/**
 * Starts workers that share this program's port, replaces those that end, and broadcasts the changes that they commit.
 * Resolves when all of them have ended after a signal; throws if one ends before any has accepted requests.
 */
export function runCluster({ workers, onServing, warn }: ClusterOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const broadcast = new InvalidationBroadcast<Worker>()
  let isServing = false
  let isStopping = false

  const receive = (worker: Worker, message: FromWorker) => {
    if (message.kind === 'subscribed') broadcast.add(worker)
    else if (message.kind === 'changed') broadcast.publish(worker, message.change, message.changes)
    else if (message.kind === 'invalidated') broadcast.confirm(worker, message.invalidation)
    else if (!isServing) {
      isServing = true
      onServing(message.address)
    }
  }
  const start = () => {
    const worker = cluster.fork()
    // Sending to a worker that has just ended fails; the handler of `exit` takes care of it.
    worker.on('error', () => undefined)
    worker.on('message', (message: unknown) => {
      if (isMessage<FromWorker>(message)) receive(worker, message)
    })
    worker.on('exit', (code, signal) => {
      broadcast.remove(worker)
      if (isStopping) {
        if (Object.keys(cluster.workers ?? {}).length === 0) resolve()
      } else if (!isServing) {
        stop('SIGTERM')
        reject(new ConfigurationError('No worker could start; the reason is in the lines above.'))
      } else {
        warn(`A worker has ended (${signal ?? code}) and will be replaced.`)
        setTimeout(() => isStopping || start(), PAUSE)
      }
    })
  }
  const stop = (signal: NodeJS.Signals) => {
    // A second signal ends the workers without waiting for their requests.
    const sent = isStopping ? 'SIGKILL' : signal
    isStopping = true
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(sent)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  for (let count = 0; count < workers; count++) start()
  return promise
}

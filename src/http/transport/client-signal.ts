import type { ServerResponse } from 'node:http'
import { ApiError } from '../../errors.ts'

/**
 * A function that returns a signal, aborted when the client goes before it has its response, or so many
 * milliseconds later (0: never). The signal is made at the first call, so that requests that need none pay nothing.
 */
export function clientSignal(response: ServerResponse, milliseconds: number): () => AbortSignal {
  let signal: AbortSignal | undefined
  return () => {
    signal ??= createSignal(response, milliseconds)
    return signal
  }
}

function createSignal(response: ServerResponse, milliseconds: number): AbortSignal {
  const controller = new AbortController()
  const abort = (detail: string) => controller.abort(new ApiError({ kind: 'unavailable', detail }))
  const timer =
    milliseconds === 0
      ? undefined
      : setTimeout(() => abort('The request took too long.'), milliseconds).unref()
  const end = () => {
    clearTimeout(timer)
    if (!response.writableFinished) abort('The client has closed the connection.')
  }
  if (response.closed) end()
  else response.on('close', end)
  return controller.signal
}

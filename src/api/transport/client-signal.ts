import type { ServerResponse } from 'node:http'
import { ApiError } from '../../base/errors.ts'

/**
 * Returns a signal that is aborted when the client disconnects before its response is complete, or after so many
 * milliseconds. The signal is created at the first call, so requests that need none have no overhead.
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
  const timer = setTimeout(() => abort('The request took too long.'), milliseconds).unref()
  const end = () => {
    clearTimeout(timer)
    if (!response.writableFinished) abort('The client has closed the connection.')
  }
  if (response.closed) end()
  else response.on('close', end)
  return controller.signal
}

/** Messages from a worker process to the primary process. */
export type FromWorker =
  /** From now on the worker receives invalidations; its cache is still empty. */
  | { readonly kind: 'subscribed' }
  /** The worker accepts requests at this address. */
  | { readonly kind: 'listening'; readonly address: string }
  /** The worker has committed these changes (`encodeChanges`) and waits until no other worker serves older data. */
  | { readonly kind: 'changed'; readonly change: number; readonly changes: readonly string[] }
  /** The worker has discarded the invalidated values. */
  | { readonly kind: 'invalidated'; readonly invalidation: number }

/** Messages from the primary process to a worker process. */
export type ToWorker =
  | {
      readonly kind: 'invalidate'
      readonly invalidation: number
      readonly changes: readonly string[]
    }
  /** All other workers have discarded what this worker's change made stale. */
  | { readonly kind: 'acknowledged'; readonly change: number }

/** True for messages of this program; the runtime's own messages arrive over the same channel. */
export const isMessage = <M extends { readonly kind: string }>(message: unknown): message is M =>
  typeof message === 'object' && message !== null && 'kind' in message

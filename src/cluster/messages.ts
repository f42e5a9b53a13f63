/** What workers tell the primary process. */
export type FromWorker =
  /** It hears of changes from now on; what it remembered before is nothing. */
  | { readonly kind: 'hears' }
  /** It answers at this address. */
  | { readonly kind: 'serves'; readonly address: string }
  /** It has committed changes of these models, and waits until everybody else has forgotten them. */
  | { readonly kind: 'changed'; readonly telling: number; readonly models: readonly string[] }
  /** It has forgotten what it was told to. */
  | { readonly kind: 'forgot'; readonly telling: number }

/** What the primary process tells workers. */
export type ToWorker =
  | { readonly kind: 'forget'; readonly telling: number; readonly models: readonly string[] }
  /** Everybody has forgotten what this worker had changed. */
  | { readonly kind: 'settled'; readonly telling: number }

/** Whether a message is one of ours; the runtime's own pass the same way. */
export const isMessage = <M extends { readonly kind: string }>(message: unknown): message is M =>
  typeof message === 'object' && message !== null && 'kind' in message

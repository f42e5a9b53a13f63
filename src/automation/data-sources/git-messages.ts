import type { FetchedSource, FetchLimits } from './source-file.ts'

/** A file in the tree of a commit. */
export interface GitFile {
  readonly path: string
  /** Id of its content. */
  readonly oid: string
}

/** The repository that a process reads. */
export interface GitOrder {
  readonly source: FetchedSource
  readonly limits: FetchLimits
  /** An empty directory that the process may write to. */
  readonly workspace: string
}

/** Messages to the process that reads a repository. Each has one reply; the next message is sent only after it. */
export type ToGitProcess =
  | ({ readonly kind: 'open' } & GitOrder)
  /** Asks for the next files; a reply without files ends the list. */
  | { readonly kind: 'next' }
  | ({ readonly kind: 'read' } & GitFile)

export type FromGitProcess =
  | { readonly kind: 'opened' }
  | { readonly kind: 'files'; readonly files: readonly GitFile[] }
  | { readonly kind: 'content'; readonly content: Uint8Array }
  /** The sentence of a SyncError. */
  | { readonly kind: 'failed'; readonly message: string }

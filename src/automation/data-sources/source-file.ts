/** A file of a data source whose content has not been read yet. */
export interface SourceFile {
  /** Relative to the root of the source, with slashes. */
  readonly path: string
  /** Throws SyncError if the file cannot be read or is larger than the limit. */
  read(): Promise<Uint8Array>
}

/** Messages about a synchronisation, for readers of its job. */
export interface SyncLog {
  debug(message: string): void
  info(message: string): void
  warning(message: string): void
  error(message: string): void
}

/** A data source to be fetched: credentials are in plain text. */
export interface FetchedSource {
  readonly url: string
  readonly parameters: Readonly<Record<string, unknown>>
}

/** The settings that limit what is fetched. */
export interface FetchLimits {
  /** Directories that may be read, with everything below them. */
  readonly directories: readonly string[]
  /** Networks in addition to public addresses. */
  readonly networks: readonly string[]
  /** Bytes of one file. */
  readonly fileSize: number
  /** Bytes of all files of a source. */
  readonly totalSize: number
  /** Number of files of a source. */
  readonly files: number
}

export interface FetchRequest {
  readonly source: FetchedSource
  readonly limits: FetchLimits
  /** Whether a path is excluded; such files are not read. */
  readonly ignores: (path: string) => boolean
  readonly log: SyncLog
  readonly signal: AbortSignal
}

/** Lists the files of a source. Throws SyncError if it cannot be reached or read. */
export type FetchFiles = (request: FetchRequest) => AsyncIterable<SourceFile>

/** Why a source could not be fetched, in one sentence for the person who configured it. */
export class SyncError extends Error {
  override readonly name = 'SyncError'
}

/** A parameter as text; undefined if it is missing or empty. */
export function textParameter({ parameters }: FetchedSource, name: string): string | undefined {
  const value = parameters[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Throws SyncError if a file is larger than the limit. */
export function checkFileSize(path: string, size: number, { fileSize }: FetchLimits): void {
  if (size <= fileSize) return
  throw new SyncError(`${path} has ${size} bytes; a file of a data source may have ${fileSize}.`)
}

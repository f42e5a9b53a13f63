import type { Access } from '../client.ts'
import type { Watched } from '../measure/usage.ts'

/** A server that is measured. */
export interface ServerUnderTest {
  /** `postgres`, `pglite`, or the address. */
  readonly name: string
  readonly access: Access
  /** The processes behind it, as far as they are ours. */
  readonly watched: Watched
  readonly versions: Readonly<Record<string, string>>
  /** Set for servers that we started. */
  readonly own?: {
    /** What the service was started with. */
    readonly environment: Readonly<Record<string, string>>
    /** Stops the service and starts it anew on its data. Milliseconds until it answers. */
    restart(): Promise<number>
  }
  /** Lets go of everything that was started. */
  close(): Promise<void>
}

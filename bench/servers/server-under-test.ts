import type { Access } from '../client.ts'
import type { Watched } from '../measure/usage.ts'

/** A server to be measured. */
export interface ServerUnderTest {
  /** `postgres`, `pglite`, or the address. */
  readonly name: string
  readonly access: Access
  /** Its processes, as far as they are ours. */
  readonly watched: Watched
  readonly versions: Readonly<Record<string, string>>
  /** Present for servers that we started. */
  readonly own?: {
    /** Environment of the service. */
    readonly environment: Readonly<Record<string, string>>
    /** Frees the space of dead rows and collects statistics, as a database does by itself some time after many changes. */
    vacuum(): Promise<void>
    /** Stops the service and starts it again on its data. Milliseconds until the first response. */
    restart(): Promise<number>
  }
  /** Stops all processes that were started. */
  close(): Promise<void>
}

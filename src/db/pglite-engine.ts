import { PGlite, type PGliteOptions } from '@electric-sql/pglite'

/** Thrown if the engine's code stopped in the middle of its work: stack or memory ran out, or it has a bug. */
export class EngineFault extends Error {
  override readonly name = 'EngineFault'

  constructor(cause: unknown) {
    super(`The embedded database has failed: ${cause}`, { cause })
  }
}

/** The functions of the engine's code that its message loop calls. */
interface MessageLoop {
  _PostgresMainLoopOnce: () => void
  stackRestore: (pointer: number) => number
}

/**
 * PGlite that detects its own faults. PGlite's own loop ignores every exception that is not one of PostgreSQL's: it
 * would continue with the next message after half a statement, and commit that at the end.
 */
export class PgliteEngine extends PGlite {
  /** Why the engine must no longer be used. */
  fault: EngineFault | undefined

  static async start(options: PGliteOptions): Promise<PgliteEngine> {
    const engine = new PgliteEngine(options)
    await engine.waitReady
    if (!engine.mod) throw new Error('The embedded database has started without its code')
    engine.#noteFaults(engine.mod)
    return engine
  }

  #noteFaults(loop: MessageLoop): void {
    const { _PostgresMainLoopOnce: once, stackRestore } = loop
    loop._PostgresMainLoopOnce = () => {
      try {
        once()
      } catch (error) {
        if (!isOfPostgres(error)) this.fault ??= new EngineFault(error)
        throw error
      }
    }
    // Called after each exception: thrown here, the fault ends the loop, and no further message is read.
    loop.stackRestore = (pointer) => {
      if (this.fault) throw this.fault
      return stackRestore(pointer)
    }
  }
}

/** PostgreSQL ends a failed statement, and its process, with a number. */
const isOfPostgres = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'status' in error && typeof error.status === 'number'

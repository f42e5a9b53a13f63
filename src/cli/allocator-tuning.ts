/** How a process was started, as far as its memory goes. */
export interface Start {
  /** What stands behind the program's name: `serve`, `--demo`, … */
  readonly arguments: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** How the service wants to be started. */
export interface TunedStart {
  readonly environment: Start['environment']
  /** Options of Node.js, besides those that it has. */
  readonly options: readonly string[]
}

/**
 * The C library gives each thread an area of its own and hands little of it back: what V8's compilers needed once stays
 * for ever, some 70 MB with the embedded database. In one area it is used again. Other libraries than glibc ignore this.
 */
const FRUGAL = { MALLOC_ARENA_MAX: '1' }

/**
 * With the embedded database in it a process has twice as much to hold. Pieces from a megabyte on go back to the system as soon
 * as nobody needs them (by itself the C library keeps ever larger ones), and what is new has 12 MB before it is looked through
 * for what is still needed: together some 100 MB less after heavy work, for answers that take 2 to 3 % longer.
 */
const EMBEDDED = {
  environment: { MALLOC_MMAP_THRESHOLD_: '1048576' },
  options: ['--max-semi-space-size=4'],
}

/**
 * How the service wants to be started from its beginning on; undefined where it is, or where another command is
 * wanted, which ends soon. What somebody has set stays as it is.
 */
export function tunedStart({ arguments: given, environment }: Start): TunedStart | undefined {
  if (environment.MALLOC_ARENA_MAX !== undefined || !isServing(given)) return undefined
  const isEmbedded = (environment.DATABASE_URL ?? '').trim() === ''
  if (!isEmbedded) return { environment: { ...environment, ...FRUGAL }, options: [] }
  return {
    environment: { ...EMBEDDED.environment, ...environment, ...FRUGAL },
    options: EMBEDDED.options,
  }
}

/** Serving is the default command. */
const isServing = ([first]: readonly string[]): boolean =>
  first === undefined || first === 'serve' || first === '--demo'

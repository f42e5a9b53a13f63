/** Command line and environment of a process. */
export interface Start {
  /** Arguments after the program's name: `serve`, `--demo`, … */
  readonly arguments: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Environment and Node.js options with which the service should start. */
export interface TunedStart {
  readonly environment: Start['environment']
  /** Options of Node.js, in addition to the present ones. */
  readonly options: readonly string[]
}

/**
 * glibc gives each thread a memory arena of its own and returns little of it to the system: what V8's compiler
 * threads needed once, some 70 MB with the embedded database, is never released. A single arena is reused. Other C
 * libraries ignore this.
 */
const FRUGAL = { MALLOC_ARENA_MAX: '1' }

/**
 * The embedded database doubles the memory of the process. Allocations of a megabyte or more are returned to the
 * system when they are freed (glibc raises that threshold by itself), and the young generation of the JavaScript heap
 * has 12 MB: together some 100 MB less after heavy load, for responses that take 2 to 3 % longer. Its calls take V8's stack,
 * of which it needs more than usual for long statements; systems give the first thread of a process 8 MB.
 */
const EMBEDDED = {
  environment: { MALLOC_MMAP_THRESHOLD_: '1048576' },
  options: ['--max-semi-space-size=4', '--stack-size=3900'],
}

/**
 * Where a machine has much memory, V8 lets the heap grow to several times its live objects before it collects the whole. Here it may grow to two and
 * a half times; with twice, the request after a bulk write often waits for such a collection. The young generation has half of V8's largest. With
 * both, creating, changing and deleting hundreds of devices takes some 150 MB less.
 */
const SERVER_OPTIONS = ['--max-semi-space-size=32', '--heap-growing-percent=150']

/**
 * How the service should be started; undefined where it has been started that way, and for other commands, which end
 * soon. Variables that are already set are not changed.
 */
export function tunedStart({ arguments: args, environment }: Start): TunedStart | undefined {
  if (environment.MALLOC_ARENA_MAX !== undefined || !isServing(args)) return undefined
  const isEmbedded = (environment.DATABASE_URL ?? '').trim() === ''
  if (!isEmbedded) {
    // Options of the command line would take precedence over the operator's own.
    const chosen = environment.NODE_OPTIONS ?? ''
    const options = SERVER_OPTIONS.filter((each) => !chosen.includes(each.split('=')[0] ?? each))
    return { environment: { ...environment, ...FRUGAL }, options }
  }
  return {
    environment: { ...EMBEDDED.environment, ...environment, ...FRUGAL },
    options: EMBEDDED.options,
  }
}

/** True where the arguments select the default command. */
const isServing = ([first]: readonly string[]): boolean =>
  first === undefined || first === 'serve' || first === '--demo'

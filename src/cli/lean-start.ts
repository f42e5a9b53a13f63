/** How a process was started, as far as its memory goes. */
export interface Start {
  /** What stands behind the program's name: `serve`, `--demo`, … */
  readonly arguments: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
}

/**
 * The C library gives each thread an area of its own and hands little of it back: what V8's compilers needed once stays
 * for ever, some 70 MB with the embedded database. In one area it is used again. Other libraries than glibc ignore this.
 */
const FRUGAL = { MALLOC_ARENA_MAX: '1' }

/**
 * The environment that the service wants from its beginning on; undefined where it has it, or where another command is
 * wanted, which ends soon. What somebody has set stays as it is.
 */
export function leanEnvironment({
  arguments: given,
  environment,
}: Start): Start['environment'] | undefined {
  const isFrugal = environment.MALLOC_ARENA_MAX !== undefined
  return isFrugal || !isServing(given) ? undefined : { ...environment, ...FRUGAL }
}

/** Serving is the default command. */
const isServing = ([first]: readonly string[]): boolean =>
  first === undefined || first === 'serve' || first === '--demo'

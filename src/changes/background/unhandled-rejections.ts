let count = 0

/** Number of promises that were rejected in this process without anything awaiting them. */
export const unhandledRejections = (): number => count

/**
 * Logs each promise that is rejected without anything awaiting it, and counts it. Otherwise Node would end the process,
 * and with it every request in flight. Each of these is a mistake in the program or a plugin.
 */
export function logUnhandledRejections(logger: { error(details: object, message: string): void }): void {
  process.on('unhandledRejection', (error) => {
    count += 1
    logger.error({ err: error }, 'a promise was rejected without anything awaiting it')
  })
}

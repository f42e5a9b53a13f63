/** Scripts of the data set that the recordings run, as scripts of this service. */

interface Context {
  readonly log: { info(message: string): void }
}

export const HelloScript = {
  description: 'Says hello',
  variables: { who: { type: 'string', required: false } },
  run: ({ log }: Context): string => {
    log.info('hello')
    return 'hello'
  },
}

export const FailScript = {
  run: (): never => {
    throw new Error('boom')
  },
}

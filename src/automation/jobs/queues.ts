/** The queues, in the order in which workers look into them. */
export const QUEUES = ['high', 'default', 'low'] as const

export type QueueName = (typeof QUEUES)[number]

/** Position of the queue: 0 is taken first. A queue of another name counts as the default one. */
export function priorityOf(queue: string): number {
  const position = (QUEUES as readonly string[]).indexOf(queue)
  return position < 0 ? QUEUES.indexOf('default') : position
}

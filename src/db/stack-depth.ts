/** Kilobytes of V8's stack without an option. */
const DEFAULT_STACK = 984

/**
 * V8's stack holds the engine's calls; PostgreSQL's limit concerns the part of their variables that is in the engine's
 * own memory. Measured with expressions, subqueries, JSON and functions nested in one another: the calls take up to
 * five times as much.
 */
const RATIO = 5

/**
 * Kilobytes for PostgreSQL's `max_stack_depth` at which it refuses a statement before the stack of this process ends.
 * `options`: those that Node.js was started with.
 */
export function stackDepthFor(options: readonly string[]): number {
  const given = options.map((option) => /^--stack[-_]size=(\d+)$/.exec(option)?.[1])
  const stack = Number(given.findLast((size) => size !== undefined) ?? DEFAULT_STACK)
  return Math.max(100, Math.floor(stack / RATIO))
}

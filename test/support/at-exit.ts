const leftovers = new Set<() => void>()

/** Runs `clear` if this process ends early, by a signal or an error, unless it is cancelled before. */
export function atExit(clear: () => void): { callOff(): void } {
  leftovers.add(clear)
  return { callOff: () => leftovers.delete(clear) }
}

process.once('exit', () => {
  for (const clear of [...leftovers].toReversed()) clear()
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => process.exit(130))
}

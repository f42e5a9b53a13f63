import { statfsSync } from 'node:fs'

/** Milliseconds for which a measurement of a disk is good enough. */
const MEASURED_FOR = 100

/** Returns the bytes that are free on the disk of the directory, measured at most ten times a second. */
export function freeSpaceOf(directory: string): () => number {
  let measured = { at: Number.NEGATIVE_INFINITY, free: 0 }
  return () => {
    const at = performance.now()
    if (at - measured.at > MEASURED_FOR) {
      const { bavail, bsize } = statfsSync(directory)
      measured = { at, free: bavail * bsize }
    }
    return measured.free
  }
}

const MEBIBYTE = 1024 ** 2

/**
 * Bytes that the embedded database leaves free. Its engine fails for good when it finds no room for its log, which grows
 * by files of 16 MiB, so that writes are refused before that happens.
 */
const RESERVE = 64 * MEBIBYTE

/** One sentence that says why nothing can be written with that many bytes free; undefined where there is room. */
export const diskProblem = (free: number): string | undefined =>
  free < RESERVE
    ? `The disk that holds the data is full: ${Math.floor(free / MEBIBYTE)} MiB are free, and nothing is written while there are less than ${RESERVE / MEBIBYTE}.`
    : undefined

/** A line of both texts, or only of the earlier or the later one. */
export interface ComparedLine {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** Maximum number of pairs of lines that are compared; beyond it the differing part is shown as replaced. */
const MOST_PAIRS = 4_000_000

/** The lines of both texts in order, with as many in common as possible. */
export function lineDifference(before: string, after: string): readonly ComparedLine[] {
  const [old, now] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1
  let [oldEnd, newEnd] = [old.length, now.length]
  while (oldEnd > start && newEnd > start && old[oldEnd - 1] === now[newEnd - 1]) {
    oldEnd -= 1
    newEnd -= 1
  }
  const same = (text: string): ComparedLine => ({ kind: 'same', text })
  return [
    ...old.slice(0, start).map(same),
    ...middle(old.slice(start, oldEnd), now.slice(start, newEnd)),
    ...old.slice(oldEnd).map(same),
  ]
}

const linesOf = (text: string): readonly string[] =>
  text === '' ? [] : text.replaceAll('\r\n', '\n').replace(/\n$/, '').split('\n')

/** The part between the first and the last difference, using the lengths of common subsequences. */
function middle(old: readonly string[], now: readonly string[]): readonly ComparedLine[] {
  const width = now.length + 1
  const isLarge = (old.length + 1) * width > MOST_PAIRS
  const lengths = new Uint32Array(isLarge ? 0 : (old.length + 1) * width)
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0
  for (let i = isLarge ? -1 : old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const lines: ComparedLine[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length) {
    const [before, after] = [old[i], now[j]]
    if (!isLarge && before !== undefined && before === after) {
      lines.push({ kind: 'same', text: before })
      i += 1
      j += 1
    } else if (before !== undefined && (after === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: 'removed', text: before })
      i += 1
    } else {
      lines.push({ kind: 'added', text: after ?? '' })
      j += 1
    }
  }
  return lines
}

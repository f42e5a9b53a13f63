/** Value at the quantile `part` (0–1) of sorted values; NaN for none. */
export function quantile(sorted: readonly number[], part: number): number {
  const index = Math.min(sorted.length - 1, Math.floor(sorted.length * part))
  return sorted[index] ?? Number.NaN
}

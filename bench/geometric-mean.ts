/** Geometric mean; NaN for no numbers. */
export const geometricMean = (numbers: readonly number[]): number =>
  Math.exp(numbers.reduce((sum, each) => sum + Math.log(each), 0) / numbers.length)

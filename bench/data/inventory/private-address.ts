/** Address in 10.0.0.0/8, by its offset. */
export const privateAddress = (offset: number): string =>
  [10, (offset >>> 16) & 255, (offset >>> 8) & 255, offset & 255].join('.')

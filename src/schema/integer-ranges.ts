/** Lowest and highest number of integers that are not 64 bits wide. */
export const INTEGER_RANGES = {
  small: [-32_768, 32_767],
  normal: [-2_147_483_648, 2_147_483_647],
} as const

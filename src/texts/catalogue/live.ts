/** Texts of the page of the latest changes. */
export const LIVE_TEXTS = [
  'Live changes',
  'Load the page again to see new changes.',
  'There are no changes yet.',
  'Object',
] as const

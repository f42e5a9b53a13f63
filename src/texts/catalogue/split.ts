/** Texts of the page that splits a prefix. */
export const SPLIT_TEXTS = [
  'Split',
  'Split {prefix}',
  'There is no free space to split, or too many prefixes are in it.',
  'Length of the new prefixes',
  '{count} prefix will be created, with the VRF, tenant, role and scope of this one:|{count} prefixes will be created, with the VRF, tenant, role and scope of this one:',
  'Create the prefixes',
  'Back to the prefix',
] as const

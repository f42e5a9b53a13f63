/** Texts of the page that splits a prefix. */
export const germanSplit = {
  Split: 'Aufteilen',
  'Split {prefix}': '{prefix} aufteilen',
  'There is no free space to split, or too many prefixes are in it.':
    'Es gibt keinen freien Bereich zum Aufteilen, oder es sind zu viele Präfixe darin.',
  'Length of the new prefixes': 'Länge der neuen Präfixe',
  '{count} prefix will be created, with the VRF, tenant, role and scope of this one:|{count} prefixes will be created, with the VRF, tenant, role and scope of this one:':
    '{count} Präfix wird angelegt, mit VRF, Mandant, Rolle und Bereich von diesem:|{count} Präfixe werden angelegt, mit VRF, Mandant, Rolle und Bereich von diesem:',
  'Create the prefixes': 'Präfixe anlegen',
  'Back to the prefix': 'Zurück zum Präfix',
}

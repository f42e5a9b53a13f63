/** Colours of tags, roles and cables, as six hexadecimal digits. */
export const COLOURS = ['aa1409', 'f44336', '2196f3', '4caf50', 'ffc107', '607d8b']

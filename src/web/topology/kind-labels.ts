/** Labels of the kinds of links. */
export const KIND_LABELS = {
  network: 'Network cables',
  power: 'Power cables',
  console: 'Console cables',
  circuits: 'Circuits',
  wireless: 'Wireless links',
} as const

/** Fields that lead from a component to its parent, for components whose name alone says little. */
export const PART_OF = ['device', 'virtual_machine', 'circuit', 'power_panel'] as const

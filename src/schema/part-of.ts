/** Fields that lead from a component to what it is part of: if its name alone says little. */
export const PART_OF = ['device', 'virtual_machine', 'circuit', 'power_panel'] as const

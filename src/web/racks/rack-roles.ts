import type { RackWithContents } from './rack-facts.ts'

/** The roles of the racks' visible devices with their colours, by name. */
export function rackRoles(
  racks: readonly RackWithContents[],
): readonly { readonly name: string; readonly color: string }[] {
  const colors = new Map(
    racks
      .flatMap(({ devices }) => devices)
      .filter(({ isVisible }) => isVisible)
      .map(({ role, color }) => [role, color]),
  )
  return [...colors]
    .map(([name, color]) => ({ name, color }))
    .sort((a, b) => a.name.localeCompare(b.name))
}

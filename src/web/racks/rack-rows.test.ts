import { describe, expect, it } from 'vitest'
import { type RackRow, rackRows } from './rack-rows.ts'

const device = (name: string, position: number, height = 1) => ({ name, position, height })

/** `3: switch 2 | .`: number of the unit, and of each face the device with its rows, or the free position. */
const textOf = ({ unit, cells }: RackRow<ReturnType<typeof device>>): string => {
  const texts = cells.map((cell) => {
    if (!cell) return '-'
    return cell.kind === 'free' ? `+${cell.position}` : `${cell.device.name} ${cell.rows}`
  })
  return `${unit?.number ?? ''}: ${texts.join(' | ')}`
}

const four = { starting_unit: 1, u_height: 4, desc_units: false }

describe('the rows of a rack', () => {
  it.each([
    {
      name: 'go from the highest unit down',
      numbering: four,
      faces: [[device('a', 2, 2)], [device('b', 4)]],
      rows: ['4: +4 | b 1', '3: a 2 | +3', '2: - | +2', '1: +1 | +1'],
    },
    {
      name: 'go from the lowest unit where numbers grow downwards',
      numbering: { starting_unit: 5, u_height: 3, desc_units: true },
      faces: [[device('a', 6, 2)]],
      rows: ['5: +5', '6: a 2', '7: -'],
    },
    {
      name: 'are halves as soon as a device stands at one',
      numbering: { starting_unit: 1, u_height: 2, desc_units: false },
      faces: [[device('a', 1.5, 0.5)], []],
      rows: ['2: +2 | +2', ': - | -', '1: a 1 | +1', ': +1 | -'],
    },
    {
      name: 'offer the upper half where the lower one is occupied',
      numbering: { starting_unit: 1, u_height: 1, desc_units: false },
      faces: [[device('a', 1, 0.5)]],
      rows: ['1: +1.5', ': a 1'],
    },
  ])('$name', ({ numbering, faces, rows }) => {
    expect(rackRows(numbering, faces).rows.map(textOf)).toEqual(rows)
  })

  it.each([
    ['overlap others', [device('a', 2, 2), device('b', 3)]],
    ['are outside the rack', [device('a', 1), device('b', 4, 2)]],
  ])('have no place for devices that %s', (_, devices) => {
    const { misplaced, rows } = rackRows(four, [devices])
    expect(misplaced.map(({ name }) => name)).toEqual(['b'])
    expect(rows.map(textOf).join()).not.toContain('b')
  })
})

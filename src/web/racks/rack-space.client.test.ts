import { describe, expect, it } from 'vitest'
import {
  fits,
  type Mover,
  nearestFit,
  nextFit,
  type Occupant,
  positionAt,
  type Rack,
  type RackPlace,
  unitsBelowTop,
} from './rack-space.client.ts'

const rackOf = (occupants: readonly Occupant[], isDescending = false): Rack => ({
  ...{ id: 1, name: 'R1', site: 1, location: undefined, units: 10, first: 1 },
  isDescending,
  occupants,
})
const mover = (height = 1, isFullDepth = true): Mover => ({ device: 9, height, isFullDepth })
const at = (position: number, face: RackPlace['face'], rack: Rack): RackPlace => ({
  rack,
  face,
  position,
})

const switches: readonly Occupant[] = [
  { device: 1, position: 5, height: 2, face: undefined },
  { device: 2, position: 2, height: 1, face: 'rear' },
]

describe('a device', () => {
  it.each([
    ['at a free unit', mover(), at(4, 'front', rackOf(switches)), true],
    ['at a unit of another device', mover(), at(6, 'front', rackOf(switches)), false],
    ['below another device that it would reach into', mover(2), at(4, 'front', rackOf(switches)), false],
    ['of full depth before one at the rear', mover(), at(2, 'front', rackOf(switches)), false],
    ['of half depth before one at the rear', mover(1, false), at(2, 'front', rackOf(switches)), true],
    ['at the highest units', mover(2), at(9, 'front', rackOf([])), true],
    ['beyond the highest unit', mover(2), at(10, 'front', rackOf([])), false],
    ['below the lowest unit', mover(), at(0, 'front', rackOf([])), false],
    ['of which only its own place is in the way', { ...mover(2), device: 1 }, at(6, 'front', rackOf(switches)), true],
  ])('%s', (_, device, place, expected) => {
    expect(fits(device, place)).toBe(expected)
  })

  it.each([
    ['upwards, over occupied units', at(4, 'front', rackOf(switches)), -1, 7],
    ['downwards, over occupied units', at(7, 'front', rackOf(switches)), 1, 4],
    ['upwards, if numbers grow downwards', at(7, 'front', rackOf(switches, true)), -1, 4],
    ['upwards from the top', at(10, 'front', rackOf(switches)), -1, undefined],
  ] as const)('moves %s', (_, place, direction, expected) => {
    expect(nextFit(mover(), place, direction)?.position).toBe(expected)
  })

  it('moves in steps of half a unit if its height includes half a unit', () => {
    expect(nextFit(mover(0.5), at(1, 'front', rackOf([])), -1)?.position).toBe(1.5)
  })

  it('is placed directly above occupied units, or not at all', () => {
    expect(nearestFit(mover(), at(6, 'front', rackOf(switches)))?.position).toBe(7)
    const full: Occupant = { device: 1, position: 1, height: 10, face: undefined }
    expect(nearestFit(mover(), at(6, 'front', rackOf([full])))).toBeUndefined()
  })
})

describe('the position under the pointer', () => {
  it.each([
    ['counts from the top', rackOf([]), 0, 2, 9],
    ['stays within the rack', rackOf([]), 12, 2, 1],
    ['counts downwards if numbers do', rackOf([], true), 3, 1, 4],
    ['has halves for devices that need them', rackOf([]), 0.5, 0.5, 10],
  ])('%s', (_, rack, below, height, position) => {
    expect(positionAt(rack, below, height)).toBe(position)
    expect(unitsBelowTop(rack, position, height)).toBe(Math.min(below, rack.units - height))
  })
})

import { describe, expect, it } from 'vitest'
import { type Box, contain, moveBox, zoomBox } from './view-box.client.ts'

const whole: Box = { x: 0, y: 0, width: 1000, height: 500 }

describe('the visible part of a map', () => {
  it('stays centered when the map is zoomed', () => {
    expect(zoomBox(whole, 0.5)).toEqual({ x: 250, y: 125, width: 500, height: 250 })
  })

  it('keeps the point under the pointer when the map is zoomed there', () => {
    expect(zoomBox(whole, 0.5, [0, 1])).toEqual({ x: 0, y: 250, width: 500, height: 250 })
  })

  it.each([
    ['moves', moveBox(whole, 100, -50), { x: 100, y: -50 }],
    ['does not leave the map', moveBox(whole, 9000, 0), { x: 500 }],
    ['is not larger than needed', zoomBox(whole, 10), { width: 1500 }],
    ['is not smaller than can be read', zoomBox(whole, 0.0001), { width: 50 }],
  ])('%s', (_what, box, expected) => {
    expect(contain(box, whole)).toMatchObject(expected)
  })
})

import { expect, test } from 'vitest'
import { failedChecks } from './custom-rules.ts'

test.each([
  ['ab', { min_length: 3 }, 1],
  ['äöü', { max_length: 3 }, 0],
  ['abcd', { max_length: 3 }, 1],
  [5, { min: 5, max: 5 }, 0],
  ['4.50', { min: 5 }, 1],
  [6, { max: 5 }, 1],
  [[1, 2], { min: 3 }, 1],
  [[1, 2], { max: 2 }, 0],
  ['core-1', { regex: '^core-\\d+$' }, 0],
  ['edge-1', { regex: '^core-\\d+$' }, 1],
  ['', { required: true }, 1],
  [null, { required: true }, 1],
  [[], { required: true }, 1],
  [0, { required: true }, 0],
  [false, { required: true }, 0],
  ['x', { prohibited: true }, 1],
  ['', { prohibited: true }, 0],
  ['active', { eq: 'active' }, 0],
  ['planned', { eq: 'active' }, 1],
  ['10.0', { eq: 10 }, 0],
  [null, { eq: null }, 0],
  [null, { neq: null }, 1],
  [true, { neq: true }, 1],
  [null, { min: 1, max: 2, min_length: 3, max_length: 4, regex: 'x' }, 0],
  ['', { required: true, min_length: 1 }, 2],
])('%j under %j fails %i conditions', (value, checks, count) => {
  expect(failedChecks(value, checks)).toHaveLength(count)
})

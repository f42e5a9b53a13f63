import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { JsonObject } from '../json.ts'
import type { BodyRecording, FilterRecording, Scenario } from '../recordings.ts'

const site = (id: number, name: string): JsonObject => ({
  id,
  url: `{base}/api/dcim/sites/${id}/`,
  name,
  created: '2026-01-01T00:00:00.000001Z',
  custom_fields: { other: 1 },
})

const FILTERS: readonly FilterRecording[] = [
  { path: '/api/dcim/sites/', kind: 'all', status: 200, count: 3, ids: [1, 2, 3] },
  { path: '/api/dcim/sites/?name__ic=BETA', kind: 'param', status: 200, count: 2, ids: [2, 3] },
  {
    path: '/api/dcim/sites/?ordering=-id',
    kind: 'ordering',
    status: 200,
    count: 3,
    ids: [3, 2, 1],
  },
  { path: '/api/dcim/sites/?id=x', kind: 'invalid', status: 400, error_keys: ['id'] },
  { path: '/api/dcim/sites/?ordering=asns', kind: 'ordering', status: 500 },
]

const BODIES: readonly BodyRecording[] = [
  {
    method: 'GET',
    path: '/api/dcim/sites/1/',
    status: 200,
    headers: { 'Content-Type': 'application/json', Vary: 'Cookie, origin' },
    body: site(1, 'Alpha'),
  },
  {
    method: 'GET',
    path: '/api/dcim/sites/99/',
    status: 404,
    headers: { 'Content-Type': 'application/json' },
    body: { detail: 'No such site.' },
  },
]

const SCENARIO: Omit<Scenario, 'file'> = {
  id: 'dcim.sites.crud',
  steps: [
    {
      method: 'POST',
      path: '/api/dcim/sites/',
      json: { name: '{tag} Site' },
      save: { site: '/id' },
      expect: {
        status: 201,
        body: {
          id: '@int',
          url: '{base}/api/dcim/sites/{site}/',
          name: '{tag} Site',
          created: '@timestamp',
          custom_fields: {},
        },
      },
    },
    {
      method: 'POST',
      path: '/api/dcim/sites/',
      json: {},
      expect: { status: 400, error_keys: ['name'] },
    },
    {
      method: 'DELETE',
      path: '/api/dcim/sites/{site}/',
      cleanup: true,
      expect: { status: 204 },
    },
    {
      method: 'GET',
      path: '/api/dcim/sites/{site}/',
      expect: { status: 404, error_keys: ['detail'], detail: true },
    },
  ],
}

const lines = (rows: readonly unknown[]): Buffer => gzipSync(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))

/** Writes a reference directory that the fake server satisfies; returns its path. */
export function writeReference(): string {
  const directory = mkdtempSync(join(tmpdir(), 'conformance-test-'))
  mkdirSync(join(directory, 'oracle', 'scenarios'), { recursive: true })
  mkdirSync(join(directory, 'dataset', 'dcim'), { recursive: true })
  writeFileSync(join(directory, 'oracle', 'filters.jsonl.gz'), lines(FILTERS))
  writeFileSync(join(directory, 'oracle', 'bodies.jsonl.gz'), lines(BODIES))
  writeFileSync(join(directory, 'oracle', 'scenarios', 'crud-dcim.json'), JSON.stringify({ scenarios: [SCENARIO] }))
  const sites = [site(1, 'Alpha'), site(2, 'beta'), site(3, 'Beta two')]
  writeFileSync(join(directory, 'dataset', 'dcim', 'sites.jsonl.gz'), lines(sites))
  return directory
}

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSchema, GraphQLSchema, printSchema, validateSchema } from 'graphql'
import { describe, expect, it } from 'vitest'
import { compareSchemas } from '../../conformance/graphql-schema.ts'
import { parseKnownDifferences } from '../../conformance/known-differences.ts'
import { catalogueOf, schemaSteps } from '../../src/api/graphql/catalogue.ts'
import { modelRegistry } from '../../src/app/core.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const REFERENCE = join(ROOT, '..', 'shared', 'reference', 'graphql', 'schema.graphql')

const { schema } = catalogueOf(modelRegistry())
const printed = printSchema(schema)
const earlier = printSchema(catalogueOf(modelRegistry().inVersion('4.6')).schema)

describe('the schema', () => {
  it.each([
    ['type SiteType', /^type SiteType \{$/m],
    ['one object', /^ {2}site\(id: ID!\): SiteType!$/m],
    [
      'a list',
      /^ {2}site_list\(filters: SiteFilter, pagination: OffsetPaginationInput, order_by: \[String!\]\): \[SiteType!\]!$/m,
    ],
    ['a number', /^ {2}site_count\(filters: SiteFilter\): Int!$/m],
    ['lookups of which one is given', /^input IntegerLookup @oneOf \{$/m],
    ['members of a union', /^union PrefixScopeType = LocationType \| RegionType \| SiteGroupType \| SiteType$/m],
  ])('has %s', (_what, words) => {
    expect(printed).toMatch(words)
  })

  it('is valid, which the service assumes', () => {
    expect(validateSchema(new GraphQLSchema({ ...schema.toConfig(), assumeValid: false }))).toEqual([])
  })

  it.each([1, 40, 100, Number.POSITIVE_INFINITY])(
    'is the same if a query needs it after %s of the steps that build it',
    (count) => {
      const registry = modelRegistry()
      for (const _ of schemaSteps(registry).take(count));
      expect(printSchema(catalogueOf(registry).schema)).toBe(printed)
    },
  )

  it('is valid when it is printed', () => {
    expect(Object.keys(buildSchema(printed).getTypeMap()).length).toBeGreaterThan(400)
  })

  it('offers each reverse relation under one name', () => {
    const [, site = ''] = /^type SiteType \{$([^}]*)/m.exec(printed) ?? []
    expect(site.match(/^ {2}\w+(?=\(.*\): \[(?:ObjectChange|PowerPanel|Cluster)Type!)/gm)).toEqual([
      '  clusters',
      '  changelog',
      '  powerpanel_set',
    ])
  })

  // The reference's schema is too large for this repository; it is read from the directory beside it if that exists.
  it.skipIf(!existsSync(REFERENCE))(
    'differs from that of the reference as conformance/differences.md says (skipped without ../shared/reference)',
    () => {
      const rows = parseKnownDifferences(readFileSync(join(ROOT, 'conformance', 'differences.md'), 'utf8')).filter(
        ({ id }) => id.startsWith('graphql-schema-'),
      )
      const needed = new Set<string>()
      const unexplained = compareSchemas(readFileSync(REFERENCE, 'utf8'), earlier).filter(({ element, cause }) => {
        const row = rows.find(
          ({ where, causes }) =>
            where.some((pattern) => pattern.test(`graphql schema ${element}`)) &&
            causes.some((pattern) => pattern.test(cause)),
        )
        if (row) needed.add(row.id)
        return !row
      })
      expect(unexplained).toEqual([])
      expect(rows.map(({ id }) => id).filter((id) => !needed.has(id))).toEqual([])
    },
  )
})

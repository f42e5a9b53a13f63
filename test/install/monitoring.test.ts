import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../src/db/postgres.ts'
import { startApiOver } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'

const DEPLOY = join(import.meta.dirname, '../../deploy')

/** The part of both files that matters here. */
interface Expression {
  readonly expr: string
}
interface Rules {
  readonly groups: readonly { readonly rules: readonly (Expression & { readonly alert: string })[] }[]
}
interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly Expression[] }[]
}

const rules = (load(readFileSync(join(DEPLOY, 'chart/alerts.yaml'), 'utf8')) as Rules).groups.flatMap(
  (group) => group.rules,
)
const { panels } = JSON.parse(readFileSync(join(DEPLOY, 'dashboard.json'), 'utf8')) as Dashboard

const EXPRESSIONS = [
  ...rules.map(({ alert, expr }) => ({ name: alert, expr })),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ name: title, expr }))),
]

/** Metrics in an expression, each with the labels that it selects or sums by. */
const metricsOf = (expr: string): readonly string[] =>
  [...expr.matchAll(/\b(?:cadastre|nodejs|process)_\w+/g)].map(([name]) => name)

describe('alerts and dashboard', () => {
  const exported = new Set<string>()
  beforeAll(async () => {
    const api = await apiOfTestSuite()
    const { text } = await api.ask('GET', '/metrics')
    for (const [, name = '', type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
      exported.add(type === 'histogram' ? `${name}_bucket` : name)
    }
    await api.close()
  })

  it.each(EXPRESSIONS)('$name uses metrics that the service exports', ({ name, expr }) => {
    const names = metricsOf(expr)
    expect(names.length > 0 || name === 'CadastreDown').toBe(true)
    expect(names.filter((metric) => !exported.has(metric))).toEqual([])
  })

  it('every alert is described', () => {
    const page = readFileSync(join(DEPLOY, '../docs/operate/troubleshooting.md'), 'utf8')
    expect(rules.filter(({ alert }) => !page.includes(`\`${alert}\``))).toEqual([])
  })
})

/** A service with everything that is measured: a server with replicas, and backups. */
const apiOfTestSuite = async () => {
  const url = await createTestDatabase('migrated')
  // It is not a standby, so it is measured but not used.
  const database = openPostgres({ url, replicaUrls: [url], poolSize: 2, statementTimeout: 0 })
  return await startApiOver(database, { METRICS_ENABLED: 'true', BACKUP_SCHEDULE: '02:30' })
}

import { describe, expect, it } from 'vitest'
import { declaredPaths } from '../read/query/declared-paths.ts'
import type { Field } from '../schema/field.ts'
import { pagePathOf } from '../schema/page-path.ts'
import { buildRegistry, type Model } from '../schema/registry.ts'
import { resolvePath } from '../schema/step.ts'
import { MODELS } from './index.ts'
import { MENU } from './menu.ts'

const registry = buildRegistry(MODELS)
const models = [...registry.models.values()]

const isCountOrReverse = (field: Field) => field.kind === 'relatedCount' || field.kind === 'reverse'

describe.each(models.map((model): [string, Model] => [model.name, model]))('%s', (_name, model) => {
  it('has paths that can be resolved', () => {
    for (const path of declaredPaths(registry, model)) {
      expect(() => resolvePath(model, path), path).not.toThrow()
    }
  })

  it('counts and lists only models that refer to it', () => {
    for (const field of [...model.fields.values()].filter(isCountOrReverse)) {
      const lead = registry.model(field.of).fields.get(field.via)
      expect(['foreignKey', 'manyToMany', 'genericForeignKey'], `${field.of}.${field.via}`).toContain(lead?.kind)
    }
  })

  it('has counters only of rows with a foreign key to it', () => {
    for (const field of model.fields.values()) {
      if (field.kind !== 'counter') continue
      expect(registry.model(field.of).fields.get(field.via)).toMatchObject({ to: model.name })
    }
  })

  it('has a default that is one of its choices', () => {
    for (const [name, field] of model.fields) {
      if (field.kind !== 'choice' || field.default === undefined || field.default === '') continue
      expect([...field.choices.labels.keys()], name).toContain(field.default)
    }
  })
})

/** Models whose lists the menu does not name, because one comes to their objects from others. */
const REACHED_FROM_OTHERS =
  /^dcim\..*template$|^(core\.(changereview|datafile|objecttype)|dcim\.cabletermination|extras\.(bookmark|notification|scriptmodule|subscription|taggeditem|webhookdelivery)|ipam\.fhrpgroupassignment)$/

it('the menu leads to the list of every model', () => {
  const inMenu = new Set(MENU.flatMap(({ groups }) => groups.flatMap((group) => group.models ?? [])))
  const withoutEntry = models
    .filter((model) => pagePathOf(model) !== undefined && !REACHED_FROM_OTHERS.test(model.name))
    .map(({ name }) => name)
    .filter((name) => !inMenu.has(name))
  expect(withoutEntry, 'Add these models to src/models/menu.ts').toEqual([])
})

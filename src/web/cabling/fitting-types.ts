import type { Model, Registry } from '../../schema/registry.ts'
import type { Control } from '../components/control.ts'
import { shownTexts } from '../forms/form-texts.ts'

/**
 * The controls, with the types of the second list of objects reduced to those that fit the first: a cable from a power
 * port leads to an outlet or a feed.
 */
export function withFittingTypes(registry: Registry, model: Model, controls: readonly Control[]): readonly Control[] {
  const { objectLists = {} } = registry.view(model)
  const [first, ...others] = Object.keys(objectLists)
  const textOf = (name: string): string => {
    const control = controls.find((control) => control.name === name)
    return control ? (shownTexts(control)[0] ?? '') : ''
  }
  // The first list decides; otherwise each would narrow the other, and neither type could be changed.
  const deciding = first !== undefined && textOf(first) !== '' ? first : undefined
  return controls.map((control) => {
    const name = others.find((candidate) => control.name === `${candidate}_type`)
    const opposite = name === undefined ? undefined : objectLists[name]?.opposite
    if (deciding === undefined || opposite?.name !== deciding) return control
    if (control.input.kind !== 'select') return control
    const types = opposite.types[textOf(`${deciding}_type`)] ?? []
    const options = control.input.options.filter(({ value }) => types.includes(value))
    const [only] = options
    if (!only) return control
    const isChosen = options.some(
      ({ value }) => control.input.kind === 'select' && control.input.chosen.includes(value),
    )
    return {
      ...control,
      dependsOn: [`${deciding}_type`, deciding],
      input: { ...control.input, options, chosen: isChosen ? control.input.chosen : [only.value] },
    }
  })
}

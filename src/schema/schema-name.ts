import type { Model } from './registry.ts'

/**
 * Name of the model's schema, from which clients derive class names: DeviceType, IPAddress. This is the label if it has
 * the same letters as the model's key, otherwise the key with the label's words capitalised. A plugin's name comes
 * first, so that its models can have the same names as other models.
 */
export const schemaName = (model: Model): string =>
  model.plugin ? model.plugin.name.split('_').map(capitalize).join('') + ownName(model) : ownName(model)

function ownName(model: Model): string {
  const words = model.definition.labels[0].split(/[\s-]+/).map(capitalize)
  const label = words.join('')
  const { key } = model
  if (label.toLowerCase() === key) return label
  for (let taken = 0; taken < words.length; taken++) {
    const tail = words.slice(taken).join('')
    if (!key.endsWith(tail.toLowerCase())) continue
    const front = key.slice(0, key.length - tail.length)
    // Two letters are an abbreviation: vminterface becomes VMInterface.
    return `${front.length <= 2 ? front.toUpperCase() : capitalize(front)}${tail}`
  }
  return capitalize(key)
}

/** Words that contain capitals stay as they are. */
const capitalize = (word: string): string =>
  word === word.toLowerCase() ? word.slice(0, 1).toUpperCase() + word.slice(1) : word

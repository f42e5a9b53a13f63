import { rulesFor } from '../../schema/rule.ts'
import { staysInType } from './component-template.ts'
import { inventoryItemTemplate } from './inventory-item-template.ts'

export const inventoryItemTemplateBehaviour = rulesFor(inventoryItemTemplate, staysInType)

import { behaviour } from '../../schema/rule.ts'
import { sumUpDisks } from './virtual-disk.effects.ts'
import { virtualDisk } from './virtual-disk.ts'

export const virtualDiskBehaviour = behaviour(virtualDisk, { afterWrite: [sumUpDisks] })

import type { EffectFunction } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import { table, updateTable } from '../../sql/table.ts'
import type { virtualDisk } from './virtual-disk.ts'

/** Sets a virtual machine's disk size to the sum of its virtual disks; null without any. */
export const sumUpDisks: EffectFunction<typeof virtualDisk.fields> = async ({ rows, database }) => {
  const machines = rows.flatMap(({ next, previous }) =>
    [next, previous].flatMap((row) => row?.virtual_machine ?? []),
  )
  await database.execute(sql`
    ${updateTable('virtualization.virtualmachine')} m
    set disk = (select sum(d.size) from ${table('virtualization.virtualdisk')} d where d.virtual_machine_id = m.id)
    where m.id = any(${[...new Set(machines)]}::bigint[])`)
}

import type { EffectFunction } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import { table, updateTable } from '../../sql/table.ts'
import type { virtualDisk } from './virtual-disk.ts'
import { virtualMachine } from './virtual-machine.ts'

/** A virtual machine's disk is what its virtual disks have together; without any it is unknown. */
export const sumUpDisks: EffectFunction<typeof virtualDisk.fields> = async ({
  rows,
  database,
  touch,
}) => {
  const machines = rows.flatMap(({ next, previous }) =>
    [next, previous].flatMap((row) => row?.virtual_machine ?? []),
  )
  await database.execute(sql`
    ${updateTable('virtualization.virtualmachine')} m
    set disk = (select sum(d.size) from ${table('virtualization.virtualdisk')} d where d.virtual_machine_id = m.id)
    where m.id = any(${[...new Set(machines)]}::bigint[])`)
  touch(virtualMachine)
}

/** Run by outage.test.ts as a process of its own: writes until it is killed. */

import { openPglite } from '../../src/db/pglite.ts'
import { sql } from '../../src/sql/fragment.ts'

const [, , directory = ''] = process.argv
const database = await openPglite(`${directory}/database`)
await database.script('create table line (id int)')
for (let id = 1; ; id++) {
  await database.transaction(async (transaction) => {
    await transaction.execute(sql`insert into line values (${id})`)
    await transaction.execute(sql`insert into line values (${id})`)
  })
  process.send?.(id)
  // Lets the event loop send the message.
  await new Promise((resolve) => setImmediate(resolve))
}

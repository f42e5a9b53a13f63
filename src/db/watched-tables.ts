import type { Registry } from '../schema/registry.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { sql, volatile } from '../sql/fragment.ts'
import { insertInto, ONLY_INSERTS, systemTable } from '../sql/table.ts'
import type { Transaction } from './database.ts'
import { quoted } from './migrate/quote.ts'
import { NUMBER_FUNCTION } from './versions/number.ts'
import { SINCE, versionedTables } from './versions/versioned-tables.ts'

const TRIGGER = 'cadastre_touched'

/**
 * A dry run must leave nothing behind, and the next number of a sequence would stay taken. A write whose id is taken is
 * repeated.
 */
const ANY_ID = 'floor(random() * 9007199254740991)::bigint'

/** Argument of the trigger of a table without history: only that it has changed is noted. */
const WHOLE_TABLE = 'table'

/** When the trigger runs, and the name of the rows of the statement: `changed`, whatever the statement does. */
const OCCASIONS = [
  ['insert', 'new'],
  ['update', 'new'],
  ['delete', 'old'],
] as const

/** The names of the tables that are watched. */
export async function watchedTables(transaction: Transaction): Promise<ReadonlySet<string>> {
  const names = await transaction.queryColumn(volatile`
    select c.relname::text from ${systemTable('pg_trigger')} g join ${systemTable('pg_class')} c on c.oid = g.tgrelid
    where g.tgname = ${`${TRIGGER}_insert`} and c.relnamespace = 'public'::regnamespace`)
  return new Set(names.map(String))
}

/**
 * Waits until no other transaction changes which tables are watched. Whoever changes it reads the rules afterwards:
 * otherwise the tables of a rule that has just been added would no longer be watched.
 */
export const lockWatching = (transaction: Transaction): Promise<unknown> =>
  transaction.query(volatile`select pg_advisory_xact_lock(hashtextextended('cadastre watched tables', 0))`)

/**
 * Lets triggers note the changed rows of exactly these tables, for the rules that read them. Returns the tables that
 * have not been watched so far: earlier changes of their rows are unknown. The caller has called `lockWatching`.
 */
export async function watchTables(
  transaction: Transaction,
  registry: Registry,
  tables: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const watched = await watchedTables(transaction)
  const added = [...tables].filter((name) => !watched.has(name))
  const removed = [...watched].filter((name) => !tables.has(name))
  if (added.length === 0 && removed.length === 0) return new Set()
  const versioned = versionedTables(registry)
  await transaction.script(
    [
      functionText(),
      ...removed.flatMap((name) =>
        OCCASIONS.map(([occasion]) => `drop trigger if exists ${TRIGGER}_${occasion} on public.${quoted(name)}`),
      ),
      ...added.flatMap((name) => {
        const key = versioned.get(name)?.key ?? [WHOLE_TABLE]
        const columns = key.length === 2 || !versioned.has(name) ? key.map((column) => `'${column}'`).join(', ') : ''
        return OCCASIONS.map(
          ([occasion, rows]) => `
          create trigger ${TRIGGER}_${occasion} after ${occasion} on public.${quoted(name)}
          referencing ${rows} table as changed for each statement execute function ${TRIGGER}(${columns})`,
        )
      }),
    ].join(';\n'),
  )
  return new Set(added)
}

/**
 * The function of the triggers. Updates of columns without history, such as counters, are not noted. Its arguments are
 * the columns of a table that joins two models, or `WHOLE_TABLE`.
 */
function functionText(): string {
  const { text: insert } = sql`${insertInto(SYSTEM.ruleTouch, ONLY_INSERTS)} (id, changed_table, number, ids, others)`
  return `
    create or replace function ${TRIGGER}() returns trigger language plpgsql as $$
    declare _number bigint := ${NUMBER_FUNCTION}();
    begin
      if TG_NARGS = 2 then
        execute format(
          '${insert} select ${ANY_ID}, $1, $2, jsonb_agg(%I), jsonb_agg(%I) from changed having count(*) > 0',
          TG_ARGV[0], TG_ARGV[1]) using TG_TABLE_NAME, _number;
      elsif TG_NARGS = 1 then
        ${insert} select ${ANY_ID}, TG_TABLE_NAME, _number, '[]', '[]' where exists (select from changed);
      else
        ${insert}
        select ${ANY_ID}, TG_TABLE_NAME, _number, jsonb_agg(id), '[]' from changed
        where TG_OP = 'DELETE' or ${SINCE} = _number having count(*) > 0;
      end if;
      return null;
    end $$`
}

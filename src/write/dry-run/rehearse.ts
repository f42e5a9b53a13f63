import { currentTimestamp } from '../../clock.ts'
import type { Service } from '../../service.ts'
import { volatile } from '../../sql/fragment.ts'
import { PredictedIds } from '../../sql/predicted-ids.ts'
import type { WriteContext, WriteRequest } from '../context.ts'
import { mediaStore } from '../media/media-store.ts'
import { TransactionFiles } from '../media/transaction-files.ts'
import { openContext, refusing, sourceWithin, type Write, withAssumptions } from '../transaction.ts'
import type { DryRun } from './dry-run.ts'
import { reportOf, visibleEffects } from './report.ts'
import { WouldChange } from './would-change.ts'

/**
 * Performs a write in a transaction that is rolled back, and hands its effects to `dryRun`. Returns the response that
 * the write would have; throws as the write would. Uses up no ids, stores no files, invalidates nothing.
 */
export async function rehearse<Done, T>(
  service: Service,
  request: WriteRequest & Pick<WriteContext, 'assumptions'>,
  { work, read }: Write<Done, T>,
  dryRun: DryRun,
): Promise<T> {
  const media = new TransactionFiles(mediaStore(service.settings), { isDryRun: true })
  const attempt = () =>
    service.database.rollBack(async (opened) => {
      const wouldChange = new WouldChange()
      const transaction = { ...opened, predictedIds: new PredictedIds() }
      const context = openContext(service, request, {
        ...{ transaction, media, wouldChange, now: currentTimestamp(service.clock) },
      })
      const done = await withAssumptions(context, work)
      await context.journal.publish()
      // Sent in one message: the checks of the commit, and the reads before the end.
      const [, response, effects] = await Promise.all([
        transaction.execute(volatile`set constraints all immediate`),
        read(sourceWithin(context), done),
        visibleEffects(context, wouldChange),
      ])
      return { response, effects, wouldChange }
    })
  const { response, effects, wouldChange } = await refusing(service, request.actor, () => media.run(attempt))
  const { actor } = request
  dryRun.finish(await reportOf({ actor, service }, wouldChange, effects, service.database))
  return response
}

import { dataWithin } from '../../read/serialise/read-source.ts'
import type { Service } from '../../service.ts'
import { volatile } from '../../sql/fragment.ts'
import { PredictedIds } from '../../sql/predicted-ids.ts'
import { mediaStore } from '../media/media-store.ts'
import { TransactionFiles } from '../media/transaction-files.ts'
import { type AttemptedWrite, openContext, perform, refused, type Write } from '../transaction.ts'
import type { DryRun } from './dry-run.ts'
import { reportOf, visibleEffects } from './report.ts'
import { WouldChange } from './would-change.ts'

/**
 * Performs a write in a transaction that is rolled back, and hands its effects to `dryRun`. Returns the response that
 * the write would have; throws as the write would. Uses up no ids, stores no files, invalidates nothing.
 */
export async function rehearse<Done, T>(
  service: Service,
  request: AttemptedWrite,
  { work, read }: Write<Done, T>,
  dryRun: DryRun,
): Promise<T> {
  const { actor } = request
  const media = new TransactionFiles(mediaStore(service.settings), { isDryRun: true })
  try {
    const { response, effects, wouldChange } = await media.run(() =>
      service.database.rollBack(async (opened) => {
        const wouldChange = new WouldChange()
        const transaction = { ...opened, predictedIds: new PredictedIds() }
        const context = openContext(service, request, { transaction, media, wouldChange })
        const done = await perform(context, work)
        // Sent in one message: the checks of the commit, and the reads before the end.
        const [, response, effects] = await Promise.all([
          transaction.execute(volatile`set constraints all immediate`),
          read(dataWithin(service, transaction), done),
          visibleEffects(context, wouldChange),
        ])
        return { response, effects, wouldChange }
      }),
    )
    dryRun.finish(await reportOf({ actor, service }, wouldChange, effects, service.database))
    return response
  } catch (error) {
    throw refused(service, actor, error)
  }
}

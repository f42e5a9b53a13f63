import { type Awaitable, andThen, runSteps } from '../awaitable.ts'
import type { CustomFieldDefinition } from '../schema/custom-value.ts'
import { oncePer } from '../schema/once-per.ts'
import type { Model } from '../schema/registry.ts'
import type { Read } from '../schema/rule.ts'
import { UploadedFile } from '../schema/uploaded-file.ts'
import type { WriteContext } from './context.ts'
import {
  checkCustomFields,
  customFieldsOf,
  readCustomFields,
  settleCustomFields,
} from './custom-fields.ts'
import { brokenRules } from './custom-rules.ts'
import { addRefusal, type Draft } from './draft.ts'
import { checkGenericTargets } from './generic.ts'
import { checkTrees } from './hierarchy.ts'
import { fileFields, isAcceptable } from './media.ts'
import { REQUIRED } from './outcome.ts'
import { resolveReferences } from './references.ts'
import { computeFields, readOf, runNormalizers, runRules } from './rules.ts'
import { refuseRestrictedTags, settleTags } from './tags.ts'
import { checkUniqueFields, checkUniqueTogether } from './unique.ts'

/**
 * All validation between parsing and saving, in the reference's order: errors of fields (all together), then the
 * checks of the API, then the model's rules and constraints. Errors are stored in the drafts; an object that a stage
 * refused is skipped by the next one.
 */
export const validate = (context: WriteContext, drafts: readonly Draft[]): Awaitable<void> =>
  andThen(resolveDrafts(context, drafts), (customFields) =>
    validateResolved(context, drafts, customFields),
  )

/** Finds the related objects and the tags of the drafts. Returns the custom fields of their model. */
export function resolveDrafts(
  context: WriteContext,
  drafts: readonly Draft[],
): Awaitable<readonly CustomFieldDefinition[]> {
  const [first] = drafts
  if (!first) return []
  return andThen(customFieldsOf(context, first.model), (customFields) => {
    readCustomFields(context, customFields, drafts)
    return andThen(resolveReferences(context, drafts), () => {
      settleTags(drafts)
      return customFields
    })
  })
}

/** As `validate`, for drafts that `resolveDrafts` has completed. */
export function validateResolved(
  context: WriteContext,
  drafts: readonly Draft[],
  customFields: readonly CustomFieldDefinition[],
): Awaitable<void> {
  if (drafts.length === 0) return
  const checkSound = (sound: readonly Draft[]): Awaitable<void> => {
    for (const draft of sound) settleCustomFields(customFields, draft)
    computeFields(sound)
    const read = readOf(context, sound)
    return runSteps([
      () => runRules(context, read, sound, ({ serializerRules }) => serializerRules),
      () => checkModel(context, customFields, accepted(sound)),
    ])
  }
  return runSteps([
    () => checkFiles(drafts),
    () => checkUniqueFields(context, drafts),
    () => checkSound(accepted(drafts)),
  ])
}

/** As `validate`, for rows that come from no body: the checks of the model, not those of the API. */
export async function validateRows(context: WriteContext, drafts: readonly Draft[]): Promise<void> {
  const [first] = drafts
  if (!first) return
  await checkUniqueFields(context, drafts)
  await checkModel(context, await customFieldsOf(context, first.model), accepted(drafts))
}

/** Adds errors for values that are unique and belong to other objects. */
export async function checkUnique(context: WriteContext, drafts: readonly Draft[]): Promise<void> {
  await checkUniqueFields(context, drafts)
  await checkUniqueTogether(context, drafts)
}

/** Drafts without errors so far. */
export const accepted = (drafts: readonly Draft[]): readonly Draft[] =>
  drafts.filter(({ errors }) => errors.size === 0)

/** The last stage; constraints are checked even if a rule has refused other fields. */
function checkModel(
  context: WriteContext,
  customFields: readonly CustomFieldDefinition[],
  drafts: readonly Draft[],
): Awaitable<void> {
  const read = readOf(context, drafts)
  const computeAgain = (): void => {
    computeFields(drafts)
    demandLate(drafts)
  }
  const prepare = (sound: readonly Draft[]): Awaitable<void> =>
    runSteps([
      () => runNormalizers(context, read, sound, ({ beforeSave }) => beforeSave),
      () => computeFields(sound),
      () => (sound.length === drafts.length ? refuseRestrictedTags(context, sound) : undefined),
    ])
  return runSteps([
    () => runNormalizers(context, read, drafts, ({ normalize }) => normalize),
    computeAgain,
    () => checkGenericTargets(context, drafts),
    () => checkTrees(context, accepted(drafts)),
    () => checkCustomFields(context, customFields, accepted(drafts)),
    () => runRules(context, read, accepted(drafts), ({ modelRules }) => modelRules),
    () => checkCustomRules(context, read, accepted(drafts)),
    () => checkUniqueTogether(context, drafts),
    () => prepare(accepted(drafts)),
  ])
}

/** The rules of the configuration. */
function checkCustomRules(
  context: WriteContext,
  read: Read,
  drafts: readonly Draft[],
): Awaitable<unknown> {
  const { customValidators } = context.service.settings
  const [first] = drafts
  if (!first || customValidators[first.model.name] === undefined) return undefined
  return Promise.all(
    drafts.map(async (draft) => {
      const judged = { model: draft.model, row: draft.next }
      const refusal = await brokenRules(context, read, customValidators, judged)
      if (refusal) addRefusal(draft, refusal)
    }),
  )
}

/** Checks the content of files: a name proves nothing about it. */
function checkFiles(drafts: readonly Draft[]): Awaitable<void> {
  const fields = drafts[0] ? fileFields(drafts[0].model) : []
  return fields.length === 0 ? undefined : checkContents(fields, drafts)
}

async function checkContents(
  fields: ReturnType<typeof fileFields>,
  drafts: readonly Draft[],
): Promise<void> {
  for (const draft of drafts) {
    for (const [name, field] of fields) {
      const value = draft.next[name]
      if (!(value instanceof UploadedFile)) continue
      if (!(await isAcceptable(field, value))) {
        addRefusal(draft, {
          [name]: 'Upload a valid image. The file is not an image or a damaged one.',
        })
      }
    }
  }
}

/** Refuses missing values of fields that the API accepts and the model does not. */
function demandLate(drafts: readonly Draft[]): void {
  for (const draft of drafts) {
    for (const name of lateRequired(draft.model)) {
      const value = draft.next[name]
      if (value === null || value === '') addRefusal(draft, { [name]: REQUIRED })
    }
  }
}

const lateRequired = oncePer((model: Model) =>
  [...model.fields].flatMap(([name, field]) =>
    'lateRequired' in field && field.lateRequired ? [name] : [],
  ),
)

import { ApiError } from '../../base/errors.ts'
import { allVisible } from '../../read/query/row-predicate.ts'
import type { RowSecurity } from '../../read/query/row-security.ts'
import type { CustomFieldDefinition } from '../../schema/custom-value.ts'
import { oncePer } from '../../schema/once-per.ts'
import { REQUIRED } from '../../schema/outcome.ts'
import type { Model } from '../../schema/registry.ts'
import type { Read } from '../../schema/rule.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { UploadedFile } from '../../schema/uploaded-file.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { WriteContext } from '../context.ts'
import { addRefusal, type Draft } from '../draft.ts'
import { fileFields, isAcceptable } from '../media/transaction-files.ts'
import { resolveReferences } from '../parse/references.ts'
import { settleTags } from '../parse/tags.ts'
import { checkCustomFields, customFieldsOf, readCustomFields, settleCustomFields } from './custom-fields.ts'
import { brokenRule, validatorNames } from './custom-rules.ts'
import { checkDateRules } from './date-rules.ts'
import { checkDynamicGroups } from './dynamic-groups.ts'
import { checkGenericTargets } from './generic-targets.ts'
import { checkRuleExpressions } from './rule-expressions.ts'
import { computeFields, readOf, runNormalizers, runRules } from './rules.ts'
import { checkTrees } from './trees.ts'
import { checkUniqueFields, checkUniqueTogether } from './unique.ts'
import { validatorsOf } from './validators.ts'

/**
 * All validation between parsing and saving, in NetBox's order: errors of fields (all together), then the
 * checks of the API, then the model's rules and constraints. Errors are stored in the drafts; an object that a stage
 * refused is skipped by the next one.
 */
export async function validate(context: WriteContext, drafts: readonly Draft[]): Promise<void> {
  await validateResolved(context, drafts, await resolveDrafts(context, drafts))
}

/** Finds the related objects and the tags of the drafts. Returns the custom fields of their model. */
export async function resolveDrafts(
  context: WriteContext,
  drafts: readonly Draft[],
): Promise<readonly CustomFieldDefinition[]> {
  const [first] = drafts
  if (!first) return []
  const customFields = await customFieldsOf(context, first.model)
  readCustomFields(context, customFields, drafts)
  await resolveReferences(context, drafts)
  settleTags(drafts)
  return customFields
}

/** As `validate`, for drafts that `resolveDrafts` has completed. */
export async function validateResolved(
  context: WriteContext,
  drafts: readonly Draft[],
  customFields: readonly CustomFieldDefinition[],
): Promise<void> {
  if (drafts.length === 0) return
  await checkFiles(drafts)
  await checkUniqueFields(context, drafts)

  const sound = accepted(drafts)
  for (const draft of sound) settleCustomFields(customFields, draft)
  computeFields(sound)
  const read = readOf(context, sound)
  await runRules(context, read, sound, ({ serializerRules }) => serializerRules)

  await checkModel(context, customFields, accepted(sound), context.security)
}

/**
 * As `validate`, for rows that do not come from a body: the checks of the model, without those of the API. They may
 * refer to hidden objects again, as before.
 */
export async function validateRows(context: WriteContext, drafts: readonly Draft[]): Promise<void> {
  const [first] = drafts
  if (!first) return
  await checkUniqueFields(context, drafts)
  const unrestricted = { ...context.security, visibleRows: allVisible }
  await checkModel(context, await customFieldsOf(context, first.model), accepted(drafts), unrestricted)
}

/** Drafts without errors so far. */
export const accepted = (drafts: readonly Draft[]): readonly Draft[] => drafts.filter(({ errors }) => errors.size === 0)

/** The last stage; constraints are checked even if a rule has refused other fields. */
async function checkModel(
  context: WriteContext,
  customFields: readonly CustomFieldDefinition[],
  drafts: readonly Draft[],
  targets: RowSecurity,
): Promise<void> {
  const read = readOf(context, drafts)
  await runNormalizers(context, read, drafts, ({ normalize }) => normalize)
  computeFields(drafts)
  demandLate(drafts)
  await checkGenericTargets(context, drafts, targets)
  await checkTrees(context, accepted(drafts))
  await checkCustomFields(context, customFields, accepted(drafts))
  await runRules(context, read, accepted(drafts), ({ modelRules }) => modelRules)
  await checkDynamicGroups(context, accepted(drafts), targets)
  await checkDateRules(context, accepted(drafts))
  await checkRuleExpressions(context, accepted(drafts))
  await checkCustomRules(context, read, accepted(drafts))
  await checkUniqueTogether(context, drafts)
  const sound = accepted(drafts)
  await runNormalizers(context, read, sound, ({ beforeSave }) => beforeSave)
  computeFields(sound)
  if (sound.length === drafts.length) await refuseRestrictedTags(context, sound)
}

/** The rules of the configuration: conditions first, then classes in Python. */
async function checkCustomRules(context: WriteContext, read: Read, drafts: readonly Draft[]): Promise<void> {
  const { customValidators } = context.service.settings
  const [first] = drafts
  if (!first || customValidators[first.model.name] === undefined) return
  await Promise.all(
    drafts.map(async (draft) => {
      const broken = await brokenRule(context, read, customValidators, { model: draft.model, row: draft.next })
      if (!broken) return
      const sentences = broken.sentences.map((sentence) => `'${sentence}'`).join(', ')
      addRefusal(draft, { __all__: `Custom validation failed for ${broken.path}: [${sentences}]` })
    }),
  )
  await applyValidators(context, validatorNames(customValidators, first.model), accepted(drafts))
}

async function applyValidators(
  context: WriteContext,
  names: readonly string[],
  drafts: readonly Draft[],
): Promise<void> {
  const validators = validatorsOf(context.service.registry)
  if (!validators || names.length === 0 || drafts.length === 0) return
  const objects = drafts.map(({ model, next, previous }) => ({ model, row: next, isNew: previous === undefined }))
  const refusals = await validators(context, names, objects)
  for (const [index, draft] of drafts.entries()) addRefusal(draft, refusals[index] ?? {})
}

/** Checks the content of files, because a name proves nothing. */
async function checkFiles(drafts: readonly Draft[]): Promise<void> {
  for (const draft of drafts) {
    for (const [name, field] of fileFields(draft.model)) {
      const value = draft.next[name]
      if (!(value instanceof UploadedFile)) continue
      if (!(await isAcceptable(field, value))) {
        addRefusal(draft, {
          [name]: 'Upload a valid image. The file is not an image, or it is damaged.',
        })
      }
    }
  }
}

/** Refuses missing values of fields that the API does not require but the model does. */
function demandLate(drafts: readonly Draft[]): void {
  for (const draft of drafts) {
    for (const name of lateRequired(draft.form)) {
      const value = draft.next[name]
      if (value === null || value === '') addRefusal(draft, { [name]: REQUIRED })
    }
  }
}

const lateRequired = oncePer((model: Model) =>
  [...model.fields].flatMap(([name, field]) => ('lateRequired' in field && field.lateRequired ? [name] : [])),
)

/** Throws for a tag that is restricted to other object types. */
async function refuseRestrictedTags({ transaction, service }: WriteContext, drafts: readonly Draft[]): Promise<void> {
  const added = new Set(drafts.flatMap(({ tags }) => [...(tags.set ?? []), ...(tags.add ?? [])]))
  const model = drafts[0]?.model.name
  if (added.size === 0 || !model || !service.registry.model(SYSTEM.tag).fields.has('object_types')) return
  const [restricted] = await transaction.query<{ name: string }>(sql`
    select name from ${table(SYSTEM.tag)}
    where id = any(${[...added]}::bigint[]) and object_types <> '{}' and not ${model} = any(object_types)
    limit 1`)
  if (!restricted) return
  const detail = `The tag ${restricted.name} cannot be assigned to objects of type ${model}.`
  throw new ApiError({ kind: 'malformed', detail })
}

import { labelOf } from '../../schema/choice-label.ts'
import { choices } from '../../schema/choices.ts'
import { comments, description, LOGGED, timestamps } from '../../schema/common.ts'
import { boolean, choice, foreignKey, integer, json, list, manyToMany, objectTypes, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'
import { behaviour, type Rule } from '../../schema/rule.ts'
import { registered, words } from '../../schema/view.ts'
import { sql } from '../../sql/fragment.ts'
import { severity } from '../extras/rule.ts'
import { branch } from './branch.ts'
import { notifyOfRequest, notifyOfReview } from './review-notifications.ts'

const requestStatus = choices([
  ['draft', 'Draft', 'gray'],
  ['open', 'Open', 'green'],
  ['merged', 'Merged', 'blue'],
  ['closed', 'Closed', 'red'],
])

/** A request to merge a branch, to be reviewed. */
export const changeRequest = model({
  name: 'core.changerequest',
  path: 'core/change-requests',
  labels: ['change request', 'change requests'],
  about: 'A request to review the changes of a branch.',

  fields: {
    title: text({ max: 200 }),
    /** Empty once the branch has been deleted: who approved a change can still be read. */
    branch: foreignKey('core.branch', {
      ...{ onDelete: 'setNull', nullable: true, related: 'change_requests' },
      example: (n, id) => id('core.branch', n),
    }),
    status: choice(requestStatus, { default: 'open' }),
    description,
    author: foreignKey('users.user', {
      onDelete: 'setNull',
      nullable: true,
      related: '+',
      readOnly: true,
      defaultFrom: 'user',
    }),
    reviewers: manyToMany('users.user', { related: 'reviewed_requests' }),
    checks: manyToMany('extras.script', { related: '+', help: 'Scripts that are run in the branch' }),
    override: text({
      max: 200,
      default: '',
      readOnly: true,
      label: 'Override',
      help: 'Why a superuser merged the branch without the approvals',
    }),
    comments,
    ...timestamps,
  },

  display: '{title}',
  graphql: false,
  brief: ['id', 'url', 'display', 'title', 'status', 'description'],
  order: ['-created'],
  search: ['title', 'description', 'comments'],
  features: [...LOGGED, 'notifications'],
  isShared: true,
})

/** Only the service marks a request as merged, together with its branch. */
const mergingIsNotClaimed: Rule<typeof changeRequest.fields> = ({ next, previous }) => {
  if (previous?.status === 'merged' && next.status !== 'merged')
    return { status: 'The branch of this request has been merged.' }
  return next.status === 'merged' && previous?.status !== 'merged'
    ? { status: 'Merge the branch: the request is merged with it.' }
    : undefined
}

/** Approvals are for one branch, and its name is for those who may view it. */
const branchIsFixed: Rule<typeof changeRequest.fields> = async ({ next, previous, read }) => {
  if (next.branch === previous?.branch) return undefined
  if (previous) return { branch: 'The branch of a change request cannot be changed. Open another request.' }
  if (next.branch === null) return { branch: 'Choose the branch to be merged.' }
  return (await read.shows(branch, next.branch))
    ? undefined
    : { branch: `Related object not found using the provided numeric ID: ${next.branch}` }
}

export const changeRequestModel = registered(changeRequest, {
  behaviour: behaviour(changeRequest, {
    serializerRules: [mergingIsNotClaimed, branchIsFixed],
    afterWrite: [notifyOfRequest],
  }),
  columns: words('title branch status author reviewers created'),
  panels: { 'Change request': words('title branch status description author reviewers checks override') },
  form: { 'Change request': words('title branch status description reviewers checks') },
  bulkEdit: [],
  moreColumns: { plus: ['override'] },
})

const reviewVerdict = choices([
  ['comment', 'Comment', 'gray'],
  ['approve', 'Approve', 'green'],
  ['request_changes', 'Request changes', 'red'],
])

/** A comment on a change request, or on one field of an object that it changes. */
export const changeReview = model({
  name: 'core.changereview',
  path: 'core/change-reviews',
  labels: ['review', 'reviews'],
  className: 'ChangeReview',

  fields: {
    change_request: foreignKey('core.changerequest', { onDelete: 'cascade', related: 'reviews' }),
    verdict: choice(reviewVerdict, { default: 'comment' }),
    text: text({ default: '', filter: false }),
    object_type: text({ max: 100, default: '' }),
    object_id: integer({ size: 'big', nullable: true, example: null }),
    field: text({ max: 100, default: '' }),
    user: foreignKey('users.user', {
      onDelete: 'setNull',
      nullable: true,
      related: '+',
      readOnly: true,
      defaultFrom: 'user',
    }),
    ...timestamps,
  },

  display: (column) =>
    sql`coalesce(${column('user.display')}, '') || ' (' || ${labelOf(column('verdict'), reviewVerdict)} || ')'`,
  graphql: false,
  brief: ['id', 'url', 'display', 'verdict'],
  order: ['id'],
  features: LOGGED,
  isShared: true,
})

/** A review records an opinion at a time: it can be corrected, but its verdict cannot change. */
const verdictStays: Rule<typeof changeReview.fields> = ({ next, previous }) =>
  previous && (next.verdict !== previous.verdict || next.change_request !== previous.change_request)
    ? { verdict: 'A verdict cannot be changed. Add another review.' }
    : undefined

/** Whoever may delete objects must not take back the verdict of somebody else. */
const verdictsRemain: Rule<typeof changeReview.fields> = ({ next }) =>
  next.verdict === 'comment'
    ? undefined
    : { __all__: 'A verdict cannot be deleted. Its author can add another review.' }

export const changeReviewModel = registered(changeReview, {
  behaviour: behaviour(changeReview, {
    serializerRules: [verdictStays],
    deletionRules: [verdictsRemain],
    afterWrite: [notifyOfReview],
  }),
  columns: words('change_request verdict text user object_type field created'),
  panels: { Review: words('change_request verdict text user object_type object_id field') },
  form: { Review: words('change_request verdict text') },
  imports: { plus: words('object_type object_id field') },
  bulkEdit: [],
})

/** Which changes of main need how many approvals, and whose. */
export const changePolicy = model({
  name: 'core.changepolicy',
  path: 'core/change-policies',
  labels: ['change policy', 'change policies'],

  fields: {
    name: text({ max: 100, unique: true }),
    enabled: boolean({ default: true }),
    description,
    object_types: objectTypes({ feature: 'changeLogging' }),
    constraints: json({ nullable: true, example: null }),
    approver_groups: manyToMany('users.group', { related: '+', label: 'Approvers' }),
    minimum_approvals: integer({ range: [1, 100], default: 1 }),
    author_may_approve: boolean({ default: false }),
    voided_by_writes: boolean({
      default: true,
      label: 'Changes void approvals',
      help: 'Approvals apply only to the state of the branch at that time',
    }),
    requires_checks: boolean({
      default: false,
      help: 'All checks of the change request must have succeeded since the last change to the branch',
    }),
    no_new_findings: choice(severity, {
      ...{ nullable: true, blank: true, filter: false },
      help: 'The branch must not cause findings of this severity, or of a higher one',
    }),
    agents_may_merge: boolean({
      default: false,
      help: 'Tokens for agents merge their plans without approvals if such policies cover all changes',
    }),
    weekdays: list('integer', {
      range: [1, 7],
      default: [],
      blank: true,
      help: 'Days on which branches may be merged, 1 for Monday; leave empty for all days',
    }),
    not_before: text({
      max: 5,
      default: '',
      filter: false,
      example: '22:00',
      help: 'Time of day from which branches may be merged, such as 22:00, in UTC',
    }),
    not_after: text({
      max: 5,
      default: '',
      filter: false,
      example: '23:00',
      help: 'Time of day until which branches may be merged',
    }),
    ...timestamps,
  },

  graphql: false,
  brief: ['id', 'url', 'display', 'name', 'enabled', 'description'],
  order: ['name'],
  search: ['name', 'description'],
  features: LOGGED,
  isShared: true,
})

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/

const timesAreTimes: Rule<typeof changePolicy.fields> = ({ next }) => {
  const wrong = (['not_before', 'not_after'] as const).filter((name) => next[name] !== '' && !TIME.test(next[name]))
  return wrong.length > 0
    ? Object.fromEntries(wrong.map((name) => [name, 'Enter a time of day, such as 22:00.']))
    : undefined
}

export const changePolicyModel = registered(changePolicy, {
  behaviour: behaviour(changePolicy, { serializerRules: [timesAreTimes] }),
  columns: words('name enabled object_types approver_groups minimum_approvals description'),
  panels: {
    Policy: words('name enabled description object_types constraints'),
    Approvals: words(
      'approver_groups minimum_approvals author_may_approve voided_by_writes requires_checks no_new_findings agents_may_merge',
    ),
    'Time window': words('weekdays not_before not_after'),
  },
  form: {
    Policy: words('name enabled description object_types constraints'),
    Approvals: words(
      'approver_groups minimum_approvals author_may_approve voided_by_writes requires_checks no_new_findings agents_may_merge',
    ),
    'Time window': words('weekdays not_before not_after'),
  },
  bulkEdit: [],
  moreColumns: { plus: ['constraints'] },
})

import { z } from 'zod';
import { defineRoute } from '../routing/route.ts';
import { ACTOR_KINDS, AUDIT_ACTIONS, AUDIT_SUBJECTS, type AuditAction } from '../values/audit-actions.ts';
import { identifier } from '../values/fields.ts';
import { choice, fileFormat, fileReply, idFilter, listQuery, MANAGE, managed, many, period } from './route.ts';

const ACTION_NAMES = Object.keys(AUDIT_ACTIONS) as [AuditAction, ...AuditAction[]];

const facts = z.record(z.string(), z.unknown());

export const auditRow = z.object({
  id: z.int(),
  created_at: z.iso.datetime(),
  sentence: z.string().describe('What happened, ready to read, such as `Robin Vale approved 12 commissions`.'),
  action: z.string().describe('What happened, as noun and verb, such as `commission.approved`.'),
  actor_kind: z.enum(ACTOR_KINDS).describe('`token` is an account token; `job` is the service itself, by the clock.'),
  actor_id: z.string().nullable().describe('The id of the account, token or program key, or the name of the job.'),
  actor_name: z.string().nullable().describe('What the actor was called at the time.'),
  user_id: z.string().nullable().describe('The account, also behind a token.'),
  subject: z.string(),
  subject_id: z.string(),
  subject_name: z.string().nullable().describe('What the subject was called at the time.'),
  program_id: z.int().nullable().describe('Null for what concerns the whole workspace.'),
  program_name: z.string().nullable(),
  before: facts.describe('What changed, as it was. Never contains secrets.'),
  after: facts.describe('What changed, as it is now.'),
  request_id: z.string().nullable(),
});
z.globalRegistry.add(auditRow, { id: 'AuditEvent' });
export type AuditRow = z.input<typeof auditRow>;

export const auditFilters = {
  program_id: idFilter('program_id'),
  user_id: identifier('user_id').optional().describe('What this account did, itself or by account token.'),
  actor_kind: choice('actor_kind', ACTOR_KINDS),
  action: choice('action', ACTION_NAMES),
  subject: choice('subject', AUDIT_SUBJECTS).describe('With `subject_id`: what happened to one thing.'),
  subject_id: identifier('subject_id').optional(),
  ...period,
};

const subjectProblem = (sent: Record<string, unknown>) =>
  Boolean(sent.subject) === Boolean(sent.subject_id)
    ? null
    : { message: 'Send subject and subject_id together', field: sent.subject ? 'subject_id' : 'subject' };

export const manageAudit = defineRoute({
  ...managed,
  id: 'manageAudit',
  method: 'GET',
  path: `${MANAGE}/audit`,
  summary: 'List the audit log',
  description:
    'Who changed what in the workspace, newest first. Rows are written with the change itself and never change. Clicks, leads, ' +
    'sales, refunds and the events of payment processors are not in it: each of them is a record of its own.',
  role: 'member',
  query: z.object({ ...listQuery, ...auditFilters }),
  precheck: subjectProblem,
  reply: many(auditRow),
  statuses: [400, 401, 403],
});

export const manageExportAudit = defineRoute({
  ...managed,
  id: 'manageExportAudit',
  mayBeBehind: true,
  method: 'GET',
  path: `${MANAGE}/export/audit.csv`,
  summary: 'Export the audit log as CSV',
  description: 'All rows that match the filters, newest first. `before` and `after` are JSON.',
  role: 'member',
  query: z.object({ ...auditFilters, format: fileFormat }),
  precheck: subjectProblem,
  ...fileReply,
  statuses: [400, 401, 403],
});

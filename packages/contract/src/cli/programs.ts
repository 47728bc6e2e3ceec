import { z } from 'zod';
import { errors } from '../errors/errors.ts';
import { defineRoute } from '../routing/route.ts';
import { commissionRate, commissionType, domain, origins, programName, windowDays } from '../values/program-fields.ts';

const REQUIRED = ['name', 'domain', 'commission_type', 'commission_rate'];

const body = z.object({
  name: programName,
  domain,
  commission_type: commissionType,
  commission_rate: commissionRate,
  advertiser_id: z.unknown().optional().describe('If sent, it must be the account’s own.'),
  cookie_window_days: windowDays('cookie_window_days').optional(),
  cookie_duration: windowDays('cookie_duration').optional().describe('Alias of cookie_window_days.'),
  recurring_months: windowDays('recurring_months', 0).optional().describe('0 = no limit.'),
  duration_months: windowDays('duration_months', 0).optional().describe('Alias of recurring_months.'),
  allowed_origins: origins.optional(),
});

export type CliInitBody = z.infer<typeof body>;

export const cliInit = defineRoute({
  id: 'cliInit',
  method: 'POST',
  path: '/api/v1/cli/init',
  summary: 'Create a program',
  description: 'Returns the API key in full. It cannot be read again later.',
  auth: 'account-token',
  role: 'member',
  bucket: 'cli',
  precheck: (fields) =>
    REQUIRED.every((name) => (fields[name] ?? '') !== '') ? null : `Missing required fields: ${REQUIRED.join(', ')}`,
  body,
  example: { name: 'Acme', domain: 'example.com', commission_type: 'percent', commission_rate: 20 },
  refuseKey: (problem) => (problem === 'unknown' ? errors.accountTokenInvalid() : errors.signInRequired()),
  reply: z.object({
    data: z.object({
      program_id: z.int(),
      api_key: z.string(),
      program_slug: z.string(),
      domain: z.string(),
      name: z.string(),
    }),
  }),
  fail: (requestId) => errors.cliFailed('Failed to create program', requestId),
  statuses: [400, 401, 403, 409],
});

export const cliPrograms = defineRoute({
  id: 'cliPrograms',
  method: 'GET',
  path: '/api/v1/cli/programs',
  summary: 'List the account’s programs',
  description: 'Includes a readable description of the commission.',
  auth: 'account-token',
  role: 'viewer',
  bucket: 'cli',
  refuseKey: (problem) => (problem === 'unknown' ? errors.accountTokenInvalid() : errors.missingAuthorization()),
  reply: z.object({
    data: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        domain: z.string(),
        status: z.string(),
        commission: z.string(),
        partners: z.int(),
        created_at: z.iso.datetime(),
      }),
    ),
  }),
  fail: (requestId) => errors.cliFailed('Failed to list programs', requestId),
  statuses: [401],
});

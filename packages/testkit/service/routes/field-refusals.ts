import { ACCOUNT_FIELDS } from './refusals/account.ts';
import { BULK_ACTION_FIELDS } from './refusals/bulk-actions.ts';
import { CLI_FIELDS } from './refusals/cli.ts';
import { COMMISSION_FIELDS } from './refusals/commissions.ts';
import { CREATIVE_FIELDS } from './refusals/creatives.ts';
import { IMPORT_FIELDS } from './refusals/imports.ts';
import { LINK_FIELDS } from './refusals/links.ts';
import { MESSAGE_FIELDS } from './refusals/messages.ts';
import { PARTNER_FIELDS } from './refusals/partners.ts';
import { PAYOUT_FIELDS } from './refusals/payouts.ts';
import { PROCESSOR_FIELDS } from './refusals/processors.ts';
import { PROGRAM_FIELDS } from './refusals/programs.ts';
import { TEAM_FIELDS } from './refusals/team.ts';
import { TERMS_FIELDS } from './refusals/terms.ts';
import { TRACKING_FIELDS } from './refusals/tracking.ts';
import type { FieldRefusals } from './refusals/values.ts';
import { VIEW_FIELDS } from './refusals/views.ts';
import { WEBHOOK_FIELDS } from './refusals/webhooks.ts';

/** Every field that can be refused by itself. */
export const FIELDS: FieldRefusals = {
  ...TRACKING_FIELDS,
  ...CLI_FIELDS,
  ...ACCOUNT_FIELDS,
  ...TEAM_FIELDS,
  ...PROGRAM_FIELDS,
  ...PROCESSOR_FIELDS,
  ...PARTNER_FIELDS,
  ...LINK_FIELDS,
  ...CREATIVE_FIELDS,
  ...MESSAGE_FIELDS,
  ...COMMISSION_FIELDS,
  ...BULK_ACTION_FIELDS,
  ...PAYOUT_FIELDS,
  ...TERMS_FIELDS,
  ...WEBHOOK_FIELDS,
  ...IMPORT_FIELDS,
  ...VIEW_FIELDS,
};

import { type FieldRefusals, identifier, NOT_TEXT, oneMessage, type Refusals, text } from './values.ts';

const shownUnder =
  'Stripe shows the signing secret, which starts with whsec_, under Workbench, Webhooks, your destination.';
const SECRET_FIELDS = {
  provider: oneMessage(
    'provider must be stripe, paddle, polar, lemonsqueezy or custom',
    ...NOT_TEXT,
    null,
    '',
    'paypal',
    'Stripe',
  ),
  webhook_secret: (field: string): Refusals => [
    ['webhook_secret is required', ''],
    [`webhook_secret: this is not a signing secret. ${shownUnder}`, 'x', ' whsec_a', 'WHSEC_a', 'x'.repeat(255)],
    [`webhook_secret: this is a secret API key (sk_…), not a signing secret. ${shownUnder}`, 'sk_live_51Habcdef'],
    [`webhook_secret: this is a restricted API key (rk_…), not a signing secret. ${shownUnder}`, 'rk_live_51Habcdef'],
    [`webhook_secret: this is a publishable API key (pk_…), not a signing secret. ${shownUnder}`, 'pk_test_51Habcdef'],
    [`webhook_secret: this is the id of a webhook endpoint (we_…), not a signing secret. ${shownUnder}`, 'we_1Habcdef'],
    ...identifier(field),
  ],
  label: (field: string): Refusals => text(64)(field),
  test_mode: oneMessage('test_mode must be true or false', 'true', 1, 0, '', [], {}),
};

export const PROCESSOR_FIELDS: FieldRefusals = {
  manageAddProcessorSecret: SECRET_FIELDS,
  manageConnectProcessor: {
    ...SECRET_FIELDS,
    account_id: identifier,
    sandbox: oneMessage('sandbox must be true or false', 'true', 1, 0, '', [], {}),
  },
};

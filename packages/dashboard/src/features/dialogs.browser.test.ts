import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { manage, memberOf, newCookie, newToken, type OwnedProgram, PASSWORD } from '@svc/testkit/service/accounts.ts';
import { codeOf } from '@svc/testkit/service/authenticator.ts';
import { filledProgram } from '@svc/testkit/service/filled-program.ts';
import { giveHeldMethod, giveMethod } from '@svc/testkit/service/payout-methods.ts';
import { publish } from '@svc/testkit/service/published-terms.ts';
import { newPasskey, newSession } from '@svc/testkit/service/routes/requests/account.ts';
import { creativeIdOf } from '@svc/testkit/service/routes/requests/creatives.ts';
import { messageIdOf } from '@svc/testkit/service/routes/requests/messages.ts';
import { openPayout, runIdOf } from '@svc/testkit/service/routes/requests/payouts.ts';
import { processorSecretIdOf } from '@svc/testkit/service/routes/requests/processors.ts';
import { domainIdOf, PNG } from '@svc/testkit/service/routes/requests/programs.ts';
import { groupIdOf, RULES } from '@svc/testkit/service/routes/requests/terms.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR } from '../../../server/src/audit/audit-store.ts';
import { addEndpoint } from '../../../server/src/webhooks/change-endpoints.ts';
import { dialogProblems } from '../../test/accessibility.ts';
import type { Person } from '../../test/person.ts';
import { describeInBrowser, startStage } from '../../test/stage.ts';

// No mail leaves, because nothing works through the queue.
const mail = { SVC_SMTP_URL: 'smtp://127.0.0.1:9', SVC_MAIL_FROM: 'partners@mail.test' };
const stage = startStage({ SVC_OUTBOUND_ALLOW: '127.0.0.1', ...mail });
let made: OwnedProgram;
let ids: Record<string, number | string>;
let people: Record<Who, Person>;

type Who = 'owner' | 'account' | 'fresh';
/** A dialog: the file that has it, its title, and how to open it. */
type Case = [file: string, title: string | RegExp, path: string, open: (person: Person) => Promise<unknown>];

const press = (name: string | RegExp) => (person: Person) =>
  person.page.getByRole('button', { name, exact: true }).first().click();
const choose = (menu: string | RegExp, item: string) => async (person: Person) => {
  await person.page.getByRole('button', { name: menu }).first().click();
  await person.page.getByRole('menuitem', { name: item, exact: true }).click();
};
const check = (label: string | RegExp, then: string) => async (person: Person) => {
  await person.page.getByRole('checkbox', { name: label }).first().check();
  await person.page.getByRole('button', { name: then, exact: true }).last().click();
};

const BRAND: Case[] = [
  [
    'commissions/bulk-actions.tsx',
    /^Approve 1 commission/,
    'commissions?status=pending',
    check(/^Select order/, 'Approve'),
  ],
  [
    'commissions/bulk-actions.tsx',
    /^Undo the rejection/,
    'commissions?status=rejected',
    check(/^Select order/, 'Undo rejection'),
  ],
  [
    'commissions/approve-pending.tsx',
    'Approve pending commissions',
    'commissions?status=pending',
    press('Approve pending…'),
  ],
  ['commissions/commission-actions.tsx', /^Approve /, 'commissions?status=pending', choose(/^Actions for/, 'Approve')],
  ['commissions/reject-dialog.tsx', /^Reject /, 'commissions?status=pending', choose(/^Actions for/, 'Reject')],
  ['coupons/new-coupon-dialog.tsx', 'New coupon', 'coupons', press('New coupon')],
  ['creatives/creatives-page.tsx', /^Delete /, 'creatives', choose(/^Actions for/, 'Delete')],
  ['creatives/edit-creative-dialog.tsx', /^Edit /, 'creatives', choose(/^Actions for/, 'Edit')],
  ['creatives/new-creative-dialog.tsx', 'New creative', 'creatives', press('New creative')],
  ['customers/assign-customer.tsx', /this customer to/, 'customers/CUSTOMER', press(/to a partner$/)],
  ['customers/customer-privacy.tsx', 'Erase this customer?', 'customers/CUSTOMER', press('Erase…')],
  ['links/edit-link-dialog.tsx', /^Edit /, 'links', choose(/^Actions for/, 'Edit')],
  ['links/link-actions.tsx', /^Delete /, 'links', choose(/^Actions for/, 'Delete')],
  ['links/new-link-dialog.tsx', 'New link', 'links', press('New link')],
  ['messages/messages-page.tsx', 'News', 'messages', press(/^Details of News/)],
  ['partners/approve-all.tsx', /^Approve \d+ applications\?$/, 'partners?status=applied', press(/^Approve all/)],
  ['partners/bulk-actions.tsx', /^Remove 1 partner/, 'partners?status=active', check(/^Select (?!all)/, 'Remove')],
  [
    'partners/bulk-actions.tsx',
    /^Move \d+ partners to /,
    'partners?status=active',
    async (person) => {
      await person.page.getByRole('checkbox', { name: /^Select all/ }).check();
      await person.press(/^Move to /);
    },
  ],
  ['partners/details/adjustment-dialog.tsx', /^Bonus or adjustment/, 'partners/PARTNER', press('Bonus or adjustment')],
  ['partners/details/notes.tsx', 'Delete this note?', 'partners/PARTNER', press(/^Delete note/)],
  ['partners/details/payout-method.tsx', /new payout method now\?$/, 'partners/HELD', press('Use it now…')],
  ['partners/edit-partner-dialog.tsx', /^Edit /, 'partners/PARTNER', choose(/^Actions for/, 'Edit')],
  ['partners/hand-over-dialog.tsx', /^Hand /, 'partners/HELD', choose(/^Actions for/, 'Hand over to another account')],
  [
    'partners/message-dialog.tsx',
    /^Write to 1 partner/,
    'partners?status=active',
    check(/^Select (?!all)/, 'Write a message'),
  ],
  ['partners/invite-dialog.tsx', 'Invite a partner', 'partners', press('Invite a partner')],
  [
    '../ui/records/invite-link-dialog.tsx',
    /^We’ve emailed the link/,
    'partners',
    async (person) => {
      await press('Invite a partner')(person);
      await person.fill('Name', 'Una');
      await person.fill('Email', 'una@partner.test');
      await person.press('Send invitation');
    },
  ],
  ['partners/invite/invite-many-dialog.tsx', 'Invite many partners', 'partners', press('Invite many')],
  [
    'partners/invite/invitees-preview.tsx',
    'Invite 1 partner?',
    'partners',
    async (person) => {
      await press('Invite many')(person);
      await person.fill('People', 'Ulf, ulf@partner.test\nnobody');
      await person.press('Preview');
    },
  ],
  [
    'partners/invite/invitation-results.tsx',
    /^1 partner invited/,
    'partners',
    async (person) => {
      await press('Invite many')(person);
      await person.fill('People', 'Uwe, uwe@partner.test\nnobody');
      await person.press('Preview');
      await person.press('Invite 1 partner');
    },
  ],
  [
    'partners/invite/send-all-again.tsx',
    /^Send .* again\?$/,
    'partners?status=invited',
    press('Send all invitations again'),
  ],
  ['partners/join-link-dialog.tsx', 'Join link', 'partners', press('Join link')],
  [
    'partners/join-link-dialog.tsx',
    'Regenerate the join link?',
    'partners',
    async (person) => {
      await press('Join link')(person);
      await press('Regenerate link')(person);
    },
  ],
  [
    '../ui/records/invitation-dialogs.tsx',
    /^Create a new invite link for /,
    'partners?status=invited',
    choose(/^Actions for/, 'New invite link'),
  ],
  [
    '../ui/records/invitation-dialogs.tsx',
    /^Revoke the invitation for /,
    'partners?status=invited',
    choose(/^Actions for/, 'Revoke invitation'),
  ],
  [
    'partners/bulk-actions.tsx',
    /^Decline 1 application/,
    'partners?status=applied',
    check(/^Select (?!all)/, 'Decline'),
  ],
  ['partners/partner-actions.tsx', /^Decline /, 'partners?status=applied', choose(/^Actions for/, 'Decline')],
  ['partners/partner-actions.tsx', /^Block /, 'partners/PARTNER', choose(/^Actions for/, 'Block')],
  ['partners/partner-actions.tsx', /^Remove /, 'partners/PARTNER', choose(/^Actions for/, 'Remove')],
  ['payouts/create-payout-dialog.tsx', /^Pay .* by hand$/, 'payouts', press(/^Pay by hand:/)],
  ['payouts/payout-run-dialog.tsx', 'Pay by hand', 'payouts', press('Pay by hand…')],
  ['payouts/payout-dialogs.tsx', /as paid\?$/, 'payouts?tab=payouts&status=open', press(/^Mark as paid:/)],
  ['payouts/payout-dialogs.tsx', /^Cancel the payout/, 'payouts?tab=payouts&status=open', press(/^Cancel payout:/)],
  ['payouts/payout-dialogs.tsx', /as failed\?$/, 'payouts/PAID', press(/failed/)],
  [
    'payouts/mark-many-paid.tsx',
    /^Mark 1 payout/,
    'payouts?tab=payouts&status=open',
    check(/^Select (?!all)/, 'Mark as paid'),
  ],
  ['payouts/runs/draft-step.tsx', /^Approve payout run/, 'payouts/runs/DRAFT', press('Approve…')],
  ['payouts/runs/cancel-run.tsx', /^Cancel payout run/, 'payouts/runs/DRAFT', press(/^Cancel/)],
  ['payouts/runs/leave-out-dialog.tsx', /^Leave out/, 'payouts/runs/DRAFT', press(/^Leave out/)],
  ['payouts/runs/approved-step.tsx', /^Mark payout run .* as sent/, 'payouts/runs/APPROVED', press('Mark as sent…')],
  ['payouts/runs/sent-step.tsx', /^Mark 1 payout as paid/, 'payouts/runs/SENT', press('Mark all as paid…')],
  ['payouts/runs/settle-dialog.tsx', /as failed\?$/, 'payouts/runs/SENT', check(/^Select payout/, 'Failed…')],
  ['settings/api-key.tsx', 'Regenerate the API key?', 'settings?tab=key', press('Regenerate API key')],
  ['settings/create-api-key.tsx', 'Create a test key?', 'settings?tab=key', press('Create test key')],
  [
    '../ui/forms/secret-dialog.tsx',
    'Your new API key',
    'settings?tab=key',
    async (person) => {
      await press('Create test key')(person);
      await person.press('Create key');
    },
  ],
  ['settings/api-key-list.tsx', /^Retire /, 'settings?tab=key', press(/^Retire /)],
  ['settings/imports/undo-import.tsx', /^Undo the import/, 'settings?tab=imports', press('Undo')],
  ['settings/join-page/logo-field.tsx', 'Remove the logo?', 'settings?tab=join', press('Remove logo')],
  ['settings/link-hosts.tsx', /^Remove /, 'settings?tab=hosts', press(/^Remove /)],
  ['settings/processor-card.tsx', 'Disconnect Stripe?', 'settings?tab=payments', press(/^Disconnect/)],
  ['settings/processor-secrets.tsx', 'Add a signing secret', 'settings?tab=payments', press('Add secret')],
  ['settings/processor-secrets.tsx', /^Remove the secret/, 'settings?tab=payments', press(/^Remove …/)],
  ['settings/program-status.tsx', 'Pause this program?', 'settings?tab=status', press('Pause program')],
  ['settings/program-status.tsx', 'Archive this program?', 'settings?tab=status', press('Archive program')],
  ['settings/program-status.tsx', /^Delete /, 'settings?tab=status', press('Delete program')],
  ['settings/webhooks/add-webhook.tsx', 'Add a webhook', 'settings?tab=webhooks', press(/^Add (a )?webhook/)],
  [
    'settings/webhooks/edit-webhook-dialog.tsx',
    'Edit webhook',
    'settings/webhooks/WEBHOOK',
    choose(/^Actions for/, 'Edit'),
  ],
  ['settings/webhooks/replay-dialog.tsx', 'Send events again', 'settings/webhooks/WEBHOOK', press('Send events again')],
  [
    'settings/webhooks/webhook-actions.tsx',
    'Disable this webhook?',
    'settings/webhooks/WEBHOOK',
    choose(/^Actions for/, 'Disable'),
  ],
  [
    'settings/webhooks/webhook-actions.tsx',
    'Rotate the signing secret?',
    'settings/webhooks/WEBHOOK',
    choose(/^Actions for/, 'Rotate secret'),
  ],
  [
    'settings/webhooks/webhook-actions.tsx',
    'Delete this webhook?',
    'settings/webhooks/WEBHOOK',
    choose(/^Actions for/, 'Delete'),
  ],
  [
    'settings/webhooks/secret-dialog.tsx',
    'Your signing secret',
    'settings/webhooks/WEBHOOK',
    async (person) => {
      await choose(/^Actions for/, 'Rotate secret')(person);
      await person.press('Rotate secret', person.dialog('Rotate the signing secret?'));
    },
  ],
  [
    'settings/webhooks/enable-dialog.tsx',
    'Enable this webhook?',
    'settings/webhooks/DISABLED',
    choose(/^Actions for/, 'Enable'),
  ],
  ['setup/refused-events.tsx', /^Allow /, 'start', press(/^Allow /)],
  ['team/invite-member.tsx', 'Invite a team member', 'team', press('Invite member')],
  ['team/member-actions.tsx', /^Remove .* from the team/, 'team', choose(/^Actions for/, 'Remove from team')],
  ['../ui/records/invitation-dialogs.tsx', /^Create a new invite link for /, 'team', press(/^New link for /)],
  ['../ui/records/invitation-dialogs.tsx', /^Revoke the invitation for /, 'team', press(/^Revoke invitation for /)],
  ['team/role-dialog.tsx', /^Change the role/, 'team', choose(/^Actions for/, 'Change role')],
  ['team/second-factor-rule.tsx', /a second factor\?$/, 'team', press(/^Require/)],
  ['terms/groups/group-dialog.tsx', 'New group', 'terms?tab=groups', press('New group')],
  ['terms/groups/group-list.tsx', /^Delete /, 'terms?tab=groups', choose(/^Actions for Silver/, 'Delete')],
  ['terms/withdraw-button.tsx', /^Withdraw version/, 'terms?tab=versions', press('Withdraw')],
  ['../ui/lists/bulk-choices.tsx', 'Disable 1 link?', 'links', check(/^Select (?!all)/, 'Disable')],
  ['../ui/lists/saved-views.tsx', 'Save view', 'partners?status=active', choose('Views', 'Save current view')],
  ['../ui/records/qr-code-dialog.tsx', /^QR code/, 'links', press(/^QR code/)],
  [
    '../ui/forms/dialog.tsx',
    'Close without saving?',
    'coupons',
    async (person) => {
      await press('New coupon')(person);
      await person.fill('Code', 'SPRING');
      await person.page.keyboard.press('Escape');
    },
  ],
  [
    '../ui/forms/leave-guard.tsx',
    'Leave without saving?',
    'settings',
    async (person) => {
      await person.fill('Name', 'Another name');
      await person.page.getByRole('link', { name: 'Team' }).click();
    },
  ],
  [
    '../app/palette/command-palette.tsx',
    'Command palette',
    'team',
    (person) => person.page.keyboard.press('ControlOrMeta+k'),
  ],
];

const PORTAL: Case[] = [
  ['portal/postback/postback-page.tsx', 'Delete this postback?', 'JOINED/postback', press(/^Delete/)],
];

const ACCOUNT: Case[] = [
  ['account/create-token.tsx', 'Create an account token', '', press('Create token')],
  [
    'account/create-token.tsx',
    'Your new token',
    '',
    async (person) => {
      await press('Create token')(person);
      await person.dialog('Create an account token').getByLabel('Name').fill('Zapier');
      await person.press('Create token', person.dialog('Create an account token'));
    },
  ],
  ['account/token-list.tsx', /^Revoke the token/, '', press(/^Revoke /)],
  ['account/email-address.tsx', 'Change email address', '', press('Change email address')],
  [
    'account/email-address.tsx',
    'Check your email',
    '',
    async (person) => {
      await press('Change email address')(person);
      await person.fill('New email', 'other@people.test');
      await person.press('Send links');
    },
  ],
  ['account/payout-method/payout-method-page.tsx', 'Remove your payout method?', '/payout-method', press('Remove')],
  ['account/security/passkeys.tsx', 'Add a passkey', '', press('Add a passkey')],
  ['account/security/passkeys.tsx', /^Rename /, '', press(/^Rename /)],
  ['account/security/passkeys.tsx', /^Remove the passkey/, '', press(/^Remove Laptop/)],
  ['account/security/password-dialog.tsx', 'Delete your account?', '', press(/^Delete account/)],
  ['account/security/session-list.tsx', 'Sign out all other browsers?', '', press(/^Sign out all/)],
];

/** Shows the code for an app, and returns it as apps read it. */
async function setUpApp(person: Person): Promise<string> {
  await press('Set up authenticator app')(person);
  await person.page.getByRole('dialog').getByLabel('Password').fill(PASSWORD);
  await person.press('Continue');
  const key = await person.dialog('Scan this code with your app').locator('pre').innerText();
  return `otpauth://totp/svc?secret=${key}`;
}

const FRESH: Case[] = [
  ['account/security/set-up-app-dialog.tsx', 'Scan this code with your app', '', setUpApp],
  [
    'account/security/recovery-codes.tsx',
    'Save your recovery codes',
    '',
    async (person) => {
      const uri = await setUpApp(person);
      await person.fill('Code that the app shows', codeOf(uri));
      await person.page.keyboard.press('Enter');
    },
  ],
];

type Look = { colorScheme: 'light' | 'dark'; width: number; height: number };
const DESK: Look = { colorScheme: 'light', width: 1280, height: 720 };
/** Dialogs are opened on a wide screen, and then take turns. The long version of the suite checks each of them in all looks. */
const LOOKS: Look[] = [
  DESK,
  { colorScheme: 'dark', width: 390, height: 844 },
  { ...DESK, colorScheme: 'dark' },
  { colorScheme: 'light', width: 390, height: 844 },
];

async function showAs({ page }: Person, { colorScheme, width, height }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height });
}

/** What axe finds, and whether the dialog fits the screen. */
async function problemsOf(person: Person, look: Look): Promise<string[]> {
  const { page } = person;
  await showAs(person, look);
  const dialog = page.getByRole('dialog').last();
  const isInside = async () => {
    const box = await dialog.boundingBox();
    return box !== null && box.x >= 0 && box.x + box.width <= look.width;
  };
  await expect.poll(isInside, { message: `fits ${look.width} pixels` }).toBe(true);
  const overflow = await dialog.evaluate((it) => it.scrollWidth - it.clientWidth);
  const found = await dialogProblems(page);
  const all = overflow > 0 ? [...found, `is ${overflow} pixels wider than it can be`] : found;
  return all.map((problem) => `${look.colorScheme}, ${look.width}: ${problem}`);
}

/** Closes what is open, whatever was typed into it. */
async function close({ page }: Person): Promise<void> {
  const discard = page.getByRole('button', { name: 'Discard changes' });
  // A question that a dialog asks is a dialog in front of it, which hides it from roles.
  const dialogs = page.locator('[role=dialog]');
  for (let open = await dialogs.count(); open > 0; open = await dialogs.count()) {
    if ((await discard.count()) === 0) await page.keyboard.press('Escape');
    if ((await discard.count()) > 0) await discard.click();
    await expect.poll(() => dialogs.count()).toBeLessThan(open);
  }
}

/** These need an old or ended session, or no scheduled rules. The tests of second factors, of clicks and of rules check them. */
const ELSEWHERE = [
  'sign-in/renewal-dialog.tsx',
  '../ui/feedback/confirm-identity.tsx',
  'terms/rules/publish-dialog.tsx',
];

/** What dialogs are made of; each dialog that uses it is in a list. */
const FORMS = ['ui/forms/edit-dialog.tsx'];

describeInBrowser('every dialog', () => {
  beforeAll(async () => {
    const { service } = stage;
    // Everything has happened by now, as browsers see it.
    const now = service.time;
    service.advance({ days: -40 });
    made = await filledProgram(service);
    const { ctx } = service;
    await groupIdOf(service, made);
    await creativeIdOf(service, made);
    await messageIdOf(service, made);
    await domainIdOf(service, made);
    await processorSecretIdOf(service, made);
    await memberOf(service, made.workspaceId, 'member');
    const held = await service.partner(made.program);
    const payee = await service.partner(made.program);
    for (const partner of [made, payee]) await sold(service, { ...made, ...partner });
    const rejected = await sold(service, { ...made, ...payee });
    const owed = await sold(service, { ...made, ...payee });
    for (const applicant of [await service.partner(made.program), await service.partner(made.program)]) {
      await service.sql(`update memberships set status = 'applied' where partner_id = $1`, [applicant.partnerId]);
    }
    const { token: key } = made.owner;
    await service.call('PUT', manage(made, '/logo'), { key, body: { image: PNG } });
    await service.call('PATCH', manage(made), { key, body: { joining: 'open' } });
    const review = (id: number | null, how: string) =>
      service.call('POST', manage(made, `/commissions/${id}/${how}`), { key: made.owner.token, body: {} });
    await review(rejected.commissionId, 'reject');
    await review(owed.commissionId, 'approve');
    const endpoint = { types: ['*' as const], description: null, format: 'json' as const };
    const webhook = await addEndpoint(ctx, made.program, { ...endpoint, url: 'http://127.0.0.1:9/on' }, OPERATOR);
    const disabled = await addEndpoint(ctx, made.program, { ...endpoint, url: 'http://127.0.0.1:9/off' }, OPERATOR);
    await service.sql(`update webhook_endpoints set status = 'disabled', disabled_reason = 'person' where id = $1`, [
      disabled.id,
    ]);
    ids = {
      PARTNER: made.partnerId,
      HELD: held.partnerId,
      WEBHOOK: webhook.id,
      DISABLED: disabled.id,
      DRAFT: await runIdOf(service, 'managePayoutRun', made),
      APPROVED: await runIdOf(service, 'manageSendPayoutRun', made),
      SENT: await runIdOf(service, 'manageSettlePayoutRun', made),
      CUSTOMER: (
        await service.sql<{ id: number }>('select max(id) as id from customers where program_id = $1', [
          made.program.id,
        ])
      )[0]?.id as number,
    };
    const [paid] = await service.sql<{ id: number }>(
      'select max(id) as id from payouts where program_id = $1 and run_id is null',
      [made.program.id],
    );
    await service.sql(`update payouts set status = 'paid', paid_at = $2 where id = $1`, [paid?.id, service.time]);
    await openPayout(service, made);
    const [postback] = await service.sql<{ id: number }>('select program_id as id from postbacks where user_id = $1', [
      made.owner.userId,
    ]);
    Object.assign(ids, { PAID: paid?.id, JOINED: postback?.id });
    service.time = now;
    await giveHeldMethod(service, held);
    await publish(service, made, RULES, { since: new Date(now.getTime() + 86_400_000) });
    await service.sql(
      `insert into refused_calls (program_id, hour, kind, reason, origin, calls, last_at)
       values ($1, date_trunc('hour', $2::timestamptz), 'click', 'origin_not_allowed', 'https://www.other.test', 2, $2)`,
      [made.program.id, now],
    );
    const { userId, email } = made.owner;
    const account = await stage.person();
    people = {
      owner: await stage.signedIn({ userId, email, cookie: await newCookie(service, userId) }),
      account,
      fresh: await stage.person(),
    };
    await newPasskey(service, account.userId);
    await newSession(service, account.userId);
    await newToken(service, account.userId);
    await giveMethod(service, account.userId);
  });

  /** The page that each person is on, with nothing open. A page is visited once for all of its dialogs. */
  const shown: Partial<Record<Who, string>> = {};

  const checked =
    (who: Who, base: () => string) =>
    async (_name: string, nth: number, [, title, path, open]: Case) => {
      const person = people[who];
      if (path !== shown[who]) await person.visit(base() + path.replace(/[A-Z]{3,}/, (name) => String(ids[name])));
      const problems: string[] = [];
      try {
        await open(person);
        await person.dialog(title).waitFor();
        const looks = process.env.SVC_TEST_LONG ? LOOKS : [LOOKS[nth % LOOKS.length] as Look];
        for (const look of looks) problems.push(...(await problemsOf(person, look)));
        await showAs(person, DESK);
        await close(person);
        shown[who] = path;
      } catch (error) {
        delete shown[who];
        await showAs(person, DESK);
        await person.page.reload();
        throw error;
      }
      problems.push(...person.faults);
      person.problems.length = 0;
      expect(problems).toEqual([]);
    };

  const named = (cases: Case[]) => cases.map((dialog, nth) => [`${dialog[1]} (${dialog[0]})`, nth, dialog] as const);

  it.each(named(BRAND))(
    'of a brand is accessible: %s',
    checked('owner', () => `/app/programs/${made.program.id}/`),
  );
  it.each(named(PORTAL))(
    'of a partner is accessible: %s',
    checked('owner', () => '/app/portal/'),
  );
  it.each(named(ACCOUNT))(
    'of an account is accessible: %s',
    checked('account', () => '/app/account'),
  );
  it.each(named(FRESH))(
    'of a new account is accessible: %s',
    checked('fresh', () => '/app/account'),
  );
});

describe('the list of dialogs', () => {
  it('has every file with a dialog', () => {
    const folder = fileURLToPath(new URL('../', import.meta.url));
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (file) =>
        file.endsWith('.tsx') &&
        !FORMS.includes(file) &&
        /<(Confirm|Edit)?Dialog\b|Radix\.Title/.test(readFileSync(`${folder}${file}`, 'utf8')),
    );
    const named = [...BRAND, ...PORTAL, ...ACCOUNT, ...FRESH].map(([file]) => file);
    const listed = [...named, ...ELSEWHERE].map((file) =>
      file.startsWith('../') ? file.slice(3) : `features/${file}`,
    );
    expect([...new Set(listed)].sort()).toEqual(files.sort());
  });
});

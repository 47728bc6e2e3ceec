import { type MailKind, PAYOUT_KIND_NAMES } from '@svc/contract';
import { nameText, withoutLinks } from './header-text.ts';
import type { MailBody } from './layout.ts';
import type { MailFields, SecurityChange } from './mail-kind.ts';
import { article, day, minute, money } from './wording.ts';

/** What templates know besides the fields. */
export type TemplateFacts = {
  /** The program or workspace in whose name the mail is sent, in quotes, or the service. */
  brand: string;
  programId: number | null;
  /** The address of a page of the service. */
  page: (path: string) => string;
  /** The link that resets the password, created for this mail. */
  resetUrl?: string;
};

type Template<Kind extends MailKind> = {
  write: (fields: MailFields[Kind], facts: TemplateFacts) => MailBody;
  /** Why the recipient gets it, as a sentence. */
  reason: (facts: TemplateFacts) => string;
};

const yourAccount = () => 'This email is about access to your account, so it can’t be turned off.';
const yourMoney = () => 'This email is about where your money goes, so it can’t be turned off.';
const yourPartnership = ({ brand }: TemplateFacts) =>
  `You’re receiving this email because you are a partner of ${brand}.`;
const yourProgram = ({ brand }: TemplateFacts) =>
  `You’re receiving this email because you work on the partner program of ${brand}.`;
const yourApplication = ({ brand }: TemplateFacts) =>
  `You’re receiving this email because you applied to the partner program of ${brand}.`;
const yourWorkspace = ({ brand }: TemplateFacts) =>
  `You’re receiving this email because you own the workspace of ${brand}.`;
const yourInvitation = ({ brand }: TemplateFacts) =>
  `You’re receiving this email because ${brand} invited this address.`;

/** What happened to an account, as a sentence and, without its full stop, as the subject. */
const SECURITY_CHANGES: Record<SecurityChange, string> = {
  password_changed: 'Your password was changed.',
  password_reset: 'Your password was reset with a link.',
  authenticator_app_added: 'An authenticator app was added to your account.',
  authenticator_app_removed: 'The authenticator app was removed from your account.',
  recovery_codes_renewed: 'Your recovery codes were replaced.',
  passkey_added: 'A passkey was added to your account.',
  passkey_removed: 'A passkey was removed from your account.',
  second_factors_removed: 'The operator removed the second factors of your account.',
  token_created: 'A terminal was signed in to your account.',
  scoped_token_created: 'An account token was created.',
  application_connected: 'An application was connected to your account.',
};

/** The lines of a text that people wrote, each as a paragraph. */
const linesOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '');

/** What a partner earns, as a paragraph. */
const earnedIn = (earnings: string[]) => (earnings.length === 0 ? [] : [`You earn ${earnings.join('. ')}.`]);

/** The text of every kind of mail. */
export const TEMPLATES: { [Kind in MailKind]: Template<Kind> } = {
  verify_address: {
    reason: () => 'You’re receiving this email because someone entered this address for their account.',
    write: ({ url }) => ({
      subject: 'Confirm your email address',
      paragraphs: ['Confirm that this email address is yours. The link works for 24 hours.'],
      action: { label: 'Confirm email address', url },
      closing: ['If you did not enter this address, ignore this email. Nothing changes unless you confirm.'],
    }),
  },
  change_address: {
    reason: yourAccount,
    write: ({ url, newAddress }) => ({
      subject: 'Confirm the change of your email address',
      paragraphs: [
        `Someone asked to change the email address of your account to ${newAddress}.`,
        'The address changes when you have confirmed it here and in the email that was sent to the new address. The link works for 24 hours.',
      ],
      action: { label: 'Confirm the change', url },
      closing: ['If it was not you, do not confirm, and change your password.'],
    }),
  },
  reset_password: {
    reason: yourAccount,
    write: (_fields, { resetUrl = '' }) => ({
      subject: 'Reset your password',
      paragraphs: ['Choose a new password with this link. It works once, for one hour.'],
      action: { label: 'Choose a new password', url: resetUrl },
      closing: ['If you did not ask for this, ignore this email. Your password stays as it is.'],
    }),
  },
  team_invitation: {
    reason: yourInvitation,
    write: ({ url, role, expiresAt }, { brand }) => ({
      subject: `Join ${brand}`,
      paragraphs: [
        `You are invited to join the team of ${brand} as ${article(role)} ${role}.`,
        `The invitation works once, until ${day(expiresAt)}.`,
      ],
      action: { label: 'Accept the invitation', url },
    }),
  },
  partner_invitation: {
    reason: yourInvitation,
    write: ({ url, partnerName, expiresAt, earnings = [], opening = '' }, { brand }) => ({
      subject: `Become a partner of ${brand}`,
      paragraphs: [
        `Hello ${nameText(partnerName)},`,
        ...linesOf(opening),
        `${brand} invites you to its partner program. Accept the invitation to get your referral link and to see your clicks, sales and earnings.`,
        ...earnedIn(earnings),
        `The invitation works once, until ${day(expiresAt)}.`,
      ],
      action: { label: 'Accept the invitation', url },
    }),
  },
  new_device: {
    reason: yourAccount,
    write: ({ device, ipAddress, at }, { page }) => ({
      subject: 'New sign-in to your account',
      paragraphs: ['Someone signed in to your account from a device or network that was not used before.'],
      facts: [
        ['Device', device],
        ['IP address', ipAddress],
        ['Time', minute(at)],
      ],
      action: { label: 'Check your account', url: page('/app/account') },
      closing: [
        'If this was you, there is nothing to do. If not, change your password: that signs out all other devices.',
      ],
    }),
  },
  security_changed: {
    reason: yourAccount,
    write: ({ change, name, at }, { page }) => ({
      subject: SECURITY_CHANGES[change].slice(0, -1),
      paragraphs: [SECURITY_CHANGES[change]],
      facts: [...(name ? [['Name', nameText(name)] as [string, string]] : []), ['Time', minute(at)]],
      action: { label: 'Check your account', url: page('/app/account') },
      closing: [
        'If this was you, there is nothing to do. If not, reset your password, which ends all sessions and tokens, and remove what you do not know.',
      ],
    }),
  },
  payout_method_changed: {
    reason: yourMoney,
    write: ({ change, kind, masked, usableFrom, at }, { page }) => ({
      subject: `Your payout method was ${change}`,
      paragraphs: [
        change === 'removed'
          ? 'Your payout method was removed. Brands can’t pay you until you add another one.'
          : `Your payout method was ${change}. ${
              usableFrom
                ? `To protect you, brands can’t pay to it before ${minute(usableFrom)}.`
                : 'Brands can pay to it from now on.'
            }`,
      ],
      facts: [
        [change === 'removed' ? 'Removed' : 'Paid to', `${PAYOUT_KIND_NAMES[kind]} ${masked}`],
        ['Time', minute(at)],
      ],
      action: { label: 'Check your payout method', url: page('/app/account/payout-method') },
      closing: [
        'If this was you, there is nothing to do. If not, reset your password at once, which ends all sessions and tokens. Then set your payout method again and tell the brands that pay you.',
      ],
    }),
  },
  payout_wait_lifted: {
    reason: yourMoney,
    write: ({ kind, masked }, { brand, page }) => ({
      subject: `${brand} will pay to your new payout method now`,
      paragraphs: [
        `An owner of ${brand} has decided not to wait until your new payout method has been in place for 72 hours. Your next payout from them can go there.`,
      ],
      facts: [['Paid to', `${PAYOUT_KIND_NAMES[kind]} ${masked}`]],
      action: { label: 'Check your payout method', url: page('/app/account/payout-method') },
      closing: [
        `If you did not change your payout method, tell ${brand} at once, and reset your password, which ends all sessions and tokens.`,
      ],
    }),
  },
  key_deadline: {
    reason: yourWorkspace,
    write: ({ rotateBy }, { brand, programId, page }) => ({
      subject: `Replace the API key of ${brand} by ${day(rotateBy)}`,
      paragraphs: [
        `Replace the API key for ${brand}. It stops working on ${minute(rotateBy)}; after that, leads, sales and refunds that your server sends with it will be rejected.`,
        'Create a new key in the settings, and put it into your server before that time.',
      ],
      action: { label: 'Replace the key', url: page(`/app/programs/${programId}/settings?tab=key`) },
    }),
  },
  application_received: {
    reason: yourProgram,
    write: ({ partnerId, partnerName }, { brand, programId, page }) => ({
      subject: `${nameText(partnerName)} wants to become a partner of ${brand}`,
      paragraphs: [
        `${nameText(partnerName)} has applied to the partner program of ${brand}. Approve or decline the application.`,
      ],
      action: { label: 'View the application', url: page(`/app/programs/${programId}/partners/${partnerId}`) },
    }),
  },
  application_approved: {
    reason: yourApplication,
    write: ({ earnings = [], opening = '' }, { brand, programId, page }) => ({
      subject: `You are now a partner of ${brand}`,
      paragraphs: [
        ...linesOf(opening),
        `${brand} has approved your application. Your referral link is ready.`,
        ...earnedIn(earnings),
      ],
      action: { label: 'Get your link', url: page(`/app/portal/${programId}/links`) },
    }),
  },
  application_declined: {
    reason: yourApplication,
    write: (_fields, { brand }) => ({
      subject: `Your application to ${brand}`,
      paragraphs: [`${brand} has declined your application to its partner program. Thank you for your interest.`],
    }),
  },
  first_sale: {
    reason: ({ brand }) => `You’re receiving this email because you take part in the partner program of ${brand}.`,
    write: ({ isOwn, partnerName, ...amount }, { brand, programId, page }) =>
      isOwn
        ? {
            subject: `Your first sale for ${brand}`,
            paragraphs: [`Someone you referred to ${brand} has bought something for the first time: ${money(amount)}.`],
            action: { label: 'View your earnings', url: page(`/app/portal/${programId}/earnings`) },
          }
        : {
            subject: `${nameText(partnerName)} made their first sale`,
            paragraphs: [`${nameText(partnerName)} has referred their first sale to ${brand}: ${money(amount)}.`],
            action: { label: 'View the sales', url: page(`/app/programs/${programId}/sales`) },
          },
  },
  weekly_digest: {
    reason: ({ brand }) => `You’re receiving this email because you take part in the partner program of ${brand}.`,
    write: ({ isOwn, from, to, sales, amounts, moves = [] }, { brand, programId, page }) => ({
      subject: `${sales} ${sales === 1 ? 'sale' : 'sales'} this week: ${brand}`,
      paragraphs: [
        `${isOwn ? 'What you referred to' : 'What partners referred to'} ${brand} from ${day(from)} to ${day(to)}.`,
      ],
      facts: [
        ['Sales', String(sales)],
        ...amounts.flatMap(({ currency, revenueCents, commissionCents }): [string, string][] => [
          ['Revenue', money({ currency, amountCents: revenueCents })],
          [isOwn ? 'Your commission' : 'Commissions', money({ currency, amountCents: commissionCents })],
        ]),
        ...moves.map(({ partnerName, group }): [string, string] => [
          isOwn ? 'Your new group' : 'Moved to another group',
          isOwn ? nameText(group) : `${nameText(partnerName)}: ${nameText(group)}`,
        ]),
      ],
      action: isOwn
        ? { label: 'View your earnings', url: page(`/app/portal/${programId}/earnings`) }
        : { label: 'View the reports', url: page(`/app/programs/${programId}/reports`) },
    }),
  },
  balance_adjusted: {
    reason: yourPartnership,
    write: ({ isBonus, reason, ...amount }, { brand, programId, page }) => ({
      subject: `${brand} ${isBonus ? 'gave you a bonus of' : 'adjusted your balance by'} ${money(amount)}`,
      paragraphs: [`It is part of your balance with ${brand} now, and your next payout takes it into account.`],
      facts: [['Reason', reason]],
      action: { label: 'View your earnings', url: page(`/app/portal/${programId}/earnings`) },
    }),
  },
  partner_message: {
    reason: yourPartnership,
    // The name could complete a web address of the text. The partner's own link comes in after others were taken out.
    write: ({ subject, text, partnerName, url }) => {
      const filled = (line: string) =>
        withoutLinks(line.replaceAll('{name}', () => nameText(partnerName))).replaceAll('{link}', () => url);
      return { subject: filled(subject), paragraphs: linesOf(text).map(filled) };
    },
  },
  payout_created: {
    reason: yourPartnership,
    write: ({ payoutId, ...amount }, { brand, programId, page }) => ({
      subject: `${brand} is preparing a payout of ${money(amount)}`,
      paragraphs: [
        `${brand} is preparing a payout of ${money(amount)} for you. You get another email when it has been paid.`,
        'Check that your payout method is up to date.',
      ],
      action: { label: 'View the payout', url: page(`/app/portal/${programId}/payouts/${payoutId}`) },
    }),
  },
  statement_ready: {
    reason: yourPartnership,
    write: ({ payoutId, reference, ...amount }, { brand, programId, page }) => ({
      subject: `${brand} has paid you ${money(amount)}`,
      paragraphs: [
        `${brand} has paid you ${money(amount)}. It may take a few days to arrive.`,
        'Your statement is ready. It explains every line, and you can download it as a PDF.',
      ],
      facts: reference ? [['Reference', reference]] : [],
      action: { label: 'View the statement', url: page(`/app/portal/${programId}/payouts/${payoutId}`) },
    }),
  },
  payout_failed: {
    reason: yourPartnership,
    write: ({ payoutId, reason, ...amount }, { brand, programId, page }) => ({
      subject: `A payout of ${money(amount)} ${reason ? 'failed' : 'was cancelled'}`,
      paragraphs: [
        `${reason ? `The payout of ${money(amount)} from ${brand} failed.` : `${brand} has cancelled the payout of ${money(amount)}.`} Nothing is lost: the amount is part of your balance again, and of a later payout.`,
        'Check that your payout method is up to date.',
      ],
      facts: reason ? [['Reason', reason]] : [],
      action: { label: 'View the payout', url: page(`/app/portal/${programId}/payouts/${payoutId}`) },
    }),
  },
  payout_run_ready: {
    reason: yourWorkspace,
    write: ({ runId, number, totals, leftOut }, { brand, programId, page }) => ({
      subject: `Payout run ${number} of ${brand} is ready to approve`,
      paragraphs: [
        `Payout run ${number} was prepared by its schedule. Nothing is paid until someone approves it.`,
        ...(leftOut > 0
          ? [`${leftOut === 1 ? 'One balance is' : `${leftOut} balances are`} left out, each with a reason.`]
          : []),
      ],
      facts: totals.map(({ payouts, ...amount }) => [payouts === 1 ? '1 payout' : `${payouts} payouts`, money(amount)]),
      action: { label: 'Review the run', url: page(`/app/programs/${programId}/payouts/runs/${runId}`) },
    }),
  },
  processor_trouble: {
    reason: yourWorkspace,
    write: ({ processor, eventType }, { brand, programId, page }) => ({
      subject: `Payment events of ${brand} could not be processed`,
      paragraphs: [
        `An event from ${processor} (${eventType}) failed repeatedly and will not be retried. Sales or refunds may be missing.`,
        'Look at the event, and replay it when the cause is gone. You get at most one such email a day.',
      ],
      action: { label: 'View the events', url: page(`/app/programs/${programId}/settings?tab=payments&state=failed`) },
    }),
  },
  webhook_failing: {
    reason: yourWorkspace,
    write: ({ host, since, error }, { brand, programId, page }) => ({
      subject: `Nothing arrives at the webhook endpoint ${host}`,
      paragraphs: [
        `Every event that was sent to the webhook endpoint of ${brand} at ${host} since ${minute(since)} has failed.`,
        'Check the address and the server behind it, then send a test from the settings. Each event is tried for about 28 hours; later, send it again from the list of deliveries. An endpoint that fails for five days is disabled.',
      ],
      facts: error ? [['Last error', error]] : [],
      action: { label: 'View the endpoint', url: page(`/app/programs/${programId}/settings?tab=webhooks`) },
    }),
  },
  webhook_disabled: {
    reason: yourWorkspace,
    write: ({ host, since, error, isGone }, { brand, programId, page }) => ({
      subject: `The webhook endpoint ${host} was disabled`,
      paragraphs: [
        isGone
          ? `The webhook endpoint of ${brand} at ${host} answered with status 410, which means that it wants no more events. It was disabled, and nothing more is sent to it.`
          : `Nothing has arrived at the webhook endpoint of ${brand} at ${host} since ${minute(since)}. After five days of failures it was disabled, and nothing more is sent to it.`,
        'When it works again, enable it in the settings and choose whether to send what it missed. If you no longer need it, delete it.',
      ],
      facts: error ? [['Last error', error]] : [],
      action: { label: 'View the endpoint', url: page(`/app/programs/${programId}/settings?tab=webhooks`) },
    }),
  },
  postback_disabled: {
    reason: yourPartnership,
    write: ({ reason }, { brand, programId, page }) => ({
      subject: `Your postback for ${brand} was turned off`,
      paragraphs: [
        reason === 'gone'
          ? `Your server answered a call about your commissions at ${brand} with status 410, which means that it wants no more of them. We turned the postback off.`
          : `For five days, every call to your server about your commissions at ${brand} failed. We turned the postback off.`,
        'Nothing is lost: your earnings are in the portal. Fix the URL or your server, test the postback, and turn it on again.',
      ],
      action: { label: 'View your postback', url: page(`/app/portal/${programId}/postback`) },
    }),
  },
};

import type { MailKind } from '@svc/contract';
import { describe, expect, it } from 'vitest';
import type { MailFields, SecurityChange } from './mail-kind.ts';
import { type Letter, type Sender, writeMessage } from './write-message.ts';

const SENDER: Sender = {
  from: { name: 'Partners', address: 'partners@mail.test' },
  baseUrl: 'https://track.test',
  linkSecret: 'a secret for links',
};

const INVITATION = { url: 'https://track.test/invite#svc_inv_1', role: 'owner', expiresAt: '2026-03-17T12:00:00Z' };

function write<Kind extends MailKind>(
  kind: Kind,
  fields: MailFields[Kind],
  brandName: string | null,
  sender: Sender = SENDER,
) {
  const letter: Letter = {
    kind,
    fields,
    userId: null,
    address: 'joan@people.test',
    programId: 7,
    messageKey: 'key',
    brand: brandName === null ? null : { name: brandName, color: null },
  };
  return writeMessage(sender, letter);
}

describe('the sender of a mail', () => {
  it('is the brand, by way of the service', () => {
    expect(write('team_invitation', INVITATION, 'Acme').from).toEqual({
      name: 'Acme via Partners',
      address: 'partners@mail.test',
    });
  });

  it('is the service in mails about accounts', () => {
    expect(write('verify_address', { url: 'https://track.test/' }, null).from.name).toBe('Partners');
  });

  it('is called like the site where the operator has given no name', () => {
    const from = { name: 'partners@mail.test', address: 'partners@mail.test' };
    expect(write('team_invitation', INVITATION, 'Acme', { ...SENDER, from }).from.name).toBe('Acme via track.test');
    expect(write('reset_password', {}, null, { ...SENDER, from }).from.name).toBe('track.test');
  });
});

describe('the name of a brand', () => {
  it('is in quotes within sentences and subjects, and with the service above them', () => {
    const { subject, text, html } = write('team_invitation', INVITATION, 'Acme');
    expect(subject).toBe('Join “Acme”');
    expect(text).toMatch(/^Acme via Partners\n\nYou are invited to join the team of “Acme” as an owner\.\n/);
    expect(text).toContain('because “Acme” invited this address.');
    expect(html).toContain('Acme via Partners</p>');
  });

  it('that was stored before links were refused brings none into the mail', () => {
    const name = 'URGENT: your account is suspended, verify at https://evil.example/login or www.evil.example now';
    const { from, subject, text, html } = write('team_invitation', INVITATION, name);
    for (const part of [from.name, subject, text, html]) expect(part).not.toContain('evil.example');
    expect(subject).toBe('Join “URGENT: your account is suspended, verify at … or … now”');
  });

  it('that is longer than a name is cut', () => {
    const { from, subject } = write('team_invitation', INVITATION, 'A'.repeat(255));
    expect(from.name).toBe(`${'A'.repeat(80)}… via Partners`);
    expect(subject).toBe(`Join “${'A'.repeat(80)}…”`);
  });

  it('that is a site of the brand stays as it is', () => {
    expect(write('team_invitation', INVITATION, 'Booking.example').subject).toBe('Join “Booking.example”');
  });
});

describe('what people typed', () => {
  const TYPED = 'Sign in at https://evil.example/a, evil.example/b or www.evil.example \u202eagain';
  const URL = 'https://track.test/page';
  const AT = '2026-03-10T12:00:00Z';
  const amount = { currency: 'USD', amountCents: 4_900 };
  /** Fields of every kind, in which all that people choose themselves is hostile. */
  const HOSTILE: { [Kind in MailKind]: MailFields[Kind] } = {
    verify_address: { url: URL },
    change_address: { url: URL, newAddress: 'joan@people.test' },
    reset_password: {},
    team_invitation: { url: URL, role: 'owner', expiresAt: AT },
    partner_invitation: {
      url: URL,
      partnerName: TYPED,
      expiresAt: AT,
      earnings: [`10% of each sale of ${TYPED}`],
      opening: TYPED,
    },
    new_device: { device: TYPED, ipAddress: '192.0.2.1', at: AT },
    security_changed: { change: 'passkey_added', name: TYPED, at: AT },
    payout_method_changed: { change: 'added', kind: 'other', masked: TYPED, usableFrom: null, at: AT },
    payout_wait_lifted: { kind: 'other', masked: TYPED },
    key_deadline: { rotateBy: AT },
    application_received: { partnerId: 1, partnerName: TYPED },
    application_approved: { earnings: [`10% of each sale of ${TYPED}`], opening: TYPED },
    application_declined: {},
    first_sale: { isOwn: false, partnerName: TYPED, ...amount },
    weekly_digest: {
      isOwn: false,
      from: AT,
      to: AT,
      sales: 1,
      amounts: [],
      moves: [{ partnerName: TYPED, group: TYPED }],
    },
    balance_adjusted: { isBonus: true, reason: TYPED, ...amount },
    partner_message: { subject: TYPED, text: `${TYPED}\n{name}: {link}`, partnerName: TYPED, url: URL },
    payout_created: { payoutId: 1, ...amount },
    statement_ready: { payoutId: 1, reference: TYPED, ...amount },
    payout_failed: { payoutId: 1, reason: TYPED, ...amount },
    payout_run_ready: { runId: 1, number: 1, totals: [], leftOut: 0 },
    processor_trouble: { processor: 'Stripe', eventType: TYPED },
    webhook_failing: { host: 'www.shop.example', since: AT, error: TYPED },
    webhook_disabled: { host: 'www.shop.example', since: AT, error: TYPED, isGone: false },
    postback_disabled: { reason: 'gone' },
  };

  it.each(Object.keys(HOSTILE) as MailKind[])('brings no link into mails: %s', (kind) => {
    const { from, subject, text, html } = write(kind, HOSTILE[kind], TYPED);
    for (const part of [from.name, subject, text, html]) expect(part).not.toMatch(/evil\.example|\u202e/);
    expect(text).toContain('Sign in at');
  });

  it('completes no web address with a name that a message repeats', () => {
    const fields = {
      subject: 'See https:{name}',
      text: 'At https:{name}\nor evil.example{name}',
      partnerName: '',
      url: URL,
    };
    for (const partnerName of ['//evil.example', '/login']) {
      const { subject, text, html } = write('partner_message', { ...fields, partnerName }, 'Acme');
      for (const part of [subject, text, html]) expect(part).not.toMatch(/https:\/\/evil|evil\.example\/login/);
    }
    const { subject, text } = write(
      'partner_message',
      { ...fields, subject: 'For {name}\r\nBcc: a@b.test', text: '{link}' },
      'Acme',
    );
    expect([subject, text.includes(URL)]).toEqual(['For Bcc: a@b.test', true]);
  });

  it('does not hide which endpoint of the brand fails', () => {
    expect(write('webhook_failing', HOSTILE.webhook_failing, 'Acme').subject).toContain('www.shop.example');
  });
});

describe('a mail about a way into an account', () => {
  const at = '2026-03-10T12:00:00Z';
  const subjects: [SecurityChange, string][] = [
    ['password_changed', 'Your password was changed'],
    ['password_reset', 'Your password was reset with a link'],
    ['authenticator_app_added', 'An authenticator app was added to your account'],
    ['authenticator_app_removed', 'The authenticator app was removed from your account'],
    ['recovery_codes_renewed', 'Your recovery codes were replaced'],
    ['passkey_added', 'A passkey was added to your account'],
    ['passkey_removed', 'A passkey was removed from your account'],
    ['second_factors_removed', 'The operator removed the second factors of your account'],
    ['token_created', 'A terminal was signed in to your account'],
    ['scoped_token_created', 'An account token was created'],
    ['application_connected', 'An application was connected to your account'],
  ];

  it.each(subjects)('says what happened: %s', (change, subject) => {
    const mail = write('security_changed', { change, name: null, at }, null);
    expect(mail.subject).toBe(subject);
    expect(mail.text).toContain(`${subject}.`);
    expect(mail.text).toContain('Time  10 March 2026 at 12:00 UTC');
    expect(mail.headers['List-Unsubscribe']).toBeUndefined();
  });

  it('names what was added, without the links in its name', () => {
    const name = 'Assistant http://evil.example/x';
    expect(write('security_changed', { change: 'application_connected', name, at }, null).text).toContain(
      'Name  Assistant …',
    );
  });
});

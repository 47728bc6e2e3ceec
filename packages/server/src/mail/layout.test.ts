import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../contract/test/any-character.ts';
import { headerText, isMailAddress } from './header-text.ts';
import { renderMail, wrapped } from './layout.ts';
import { readInviteToken, readUnsubscription, signUnsubscription } from './signed-link.ts';

const anyText = fc.string({ unit: anyCharacter, maxLength: 300 });

describe('headers', () => {
  it('are one line without control characters, whatever a name contains', () => {
    fc.assert(fc.property(anyText, (text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(headerText(text))));
    expect(headerText(' Acme\r\nBcc: x@y.test\t\u2028 ')).toBe('Acme Bcc: x@y.test');
    expect(headerText('x'.repeat(500))).toHaveLength(200);
  });

  it.each(['a@b.test', 'ä.b+c@münchen.test', "o'neil@b.test"])('take the address %s', (address) => {
    expect(isMailAddress(address)).toBe(true);
  });

  it.each(['', 'a', 'a@', '@b', 'a b@c', 'a@b>\r\nDATA', 'a@b,c@d', '<a@b>', '"a"@b', `${'x'.repeat(250)}@b.test`])(
    'do not take %j as an address',
    (address) => expect(isMailAddress(address)).toBe(false),
  );
});

describe('plain text', () => {
  it('has at most 78 columns, except for links', () => {
    fc.assert(
      fc.property(anyText, (text) =>
        wrapped(text)
          .split('\n')
          .every((line) => line.length <= 78),
      ),
    );
    const link = `https://track.test/${'x'.repeat(100)}`;
    expect(wrapped(`Open ${link} now`)).toBe(`Open\n${link}\nnow`);
  });

  it('says the same as the HTML, which no name can break out of', () => {
    const frame = { brandName: 'A & B <i>', color: '#ffcc00', reason: 'Because.', unsubscribeUrl: null };
    const body = {
      subject: 'S',
      paragraphs: ['<script>alert("x")</script>'],
      action: { label: 'Go', url: 'https://a.test/?a=1&b=2' },
    };
    const { text, html } = renderMail(body, frame);
    expect(text).toContain('<script>alert("x")</script>');
    expect(text).toContain('Go:\nhttps://a.test/?a=1&b=2');
    expect(html).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;');
    expect(html).toContain('<a href="https://a.test/?a=1&amp;b=2"');
    expect(html).not.toMatch(/<script|<i>/);
    // White text on yellow could not be read.
    expect(html).toContain('background:#ffcc00;color:#14171f;');
  });
});

describe('signed links', () => {
  it('unsubscribe the account and kind they were signed for, and nobody else', () => {
    const token = signUnsubscription('secret', { userId: 'u1', kind: 'first_sale' });
    expect(readUnsubscription('secret', token)).toEqual({ userId: 'u1', kind: 'first_sale' });
    expect(readUnsubscription('other', token)).toBeNull();
    const [, signature] = token.split('.');
    const changed = Buffer.from('first_sale u2').toString('base64url');
    expect(readUnsubscription('secret', `${changed}.${signature}`)).toBeNull();
    fc.assert(fc.property(anyText, (text) => readUnsubscription('secret', text) === null));
  });

  it('unsubscribe from mails about paid payouts by the name that they had in 0.2.0', () => {
    const text = Buffer.from('payout_paid u1').toString('base64url');
    const signed = createHmac('sha256', 'secret').update(`unsubscribe ${text}`).digest('base64url');
    expect(readUnsubscription('secret', `${text}.${signed}`)).toEqual({ userId: 'u1', kind: 'statement_ready' });
  });

  it('leave tokens without a signature as they are', () => {
    expect(readInviteToken('secret', 'svc_inv_abc')).toEqual({ token: 'svc_inv_abc', isMailed: false });
    expect(readInviteToken('secret', 'svc_inv_abc.forged')).toEqual({ token: 'svc_inv_abc', isMailed: false });
  });
});

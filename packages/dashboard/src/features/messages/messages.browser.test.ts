import { partnerAccount } from '@svc/testkit/service/accounts.ts';
import { queuedMails } from '@svc/testkit/service/queued-mails.ts';
import { messageIdOf } from '@svc/testkit/service/routes/requests/messages.ts';
import { soldByMany } from '@svc/testkit/service/sold-by-many.ts';
import { expect, it } from 'vitest';
import { accessibilityProblems } from '../../../test/accessibility.ts';
import { openBrand } from '../../../test/brand.ts';
import { describeInBrowser, startStage } from '../../../test/stage.ts';

// Nothing listens there, so that the mail waits in the queue.
const stage = startStage({ SVC_SMTP_URL: 'smtp://127.0.0.1:9', SVC_MAIL_FROM: 'Partners <partners@mail.test>' });

describeInBrowser('messages', () => {
  it('a brand writes to the partners it has selected, sees what they will read, and who got it', async () => {
    const brand = await openBrand(stage);
    const { owner, link, program } = brand;
    await stage.service.sql('update users set email_verified = true where id = $1', [owner.userId]);
    await partnerAccount(stage.service, brand.partnerId);
    await owner.visit(brand.path('partners'), 'Partners');
    await owner.page.getByRole('checkbox', { name: /Jane/ }).check();
    await owner.press('Write a message');
    const dialog = owner.dialog('Write to 1 partner');
    await owner.fill('Subject', 'News for {name}');
    await owner.fill('Message', 'See https://evil.test');
    await owner.press('Send', dialog);
    await dialog.getByText('must not contain a web address').waitFor();
    await owner.fill('Message', 'Hello {name}, share {link}');
    await dialog.getByText(`Hello Jane Partner, share https://${program.domain}/?aff=your-link`).waitFor();
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    await owner.press('Send me a test', dialog);
    await owner.sees(`Test sent to ${owner.email}`);
    await owner.press('Send', dialog);
    await owner.sees('1 partner written to');
    await owner.visit(brand.path('messages'), 'Messages');
    await owner.row('News for {name}').getByText('1 sent').waitFor();
    await owner.press(/^Details/);
    await owner.dialog('News for {name}').getByRole('row', { name: /Jane/ }).getByText('sent').waitFor();
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    const texts = await queuedMails(stage.service, 'partner_message');
    expect(texts.at(-1)).toMatchObject({ partnerName: 'Jane', url: `https://${program.domain}/?aff=${link}` });
    await owner.page.keyboard.press('Escape');
    await owner.visit(`${brand.path('settings')}?tab=mails`, 'Settings');
    await owner.page.getByLabel('Your paragraph').first().fill('We loved your review.');
    await owner.page.getByRole('button', { name: 'Preview' }).first().click();
    const preview = owner.page.getByRole('region', { name: 'Preview of the invitation' });
    await preview.getByText('We loved your review.').waitFor();
    await preview.getByText('Become a partner of', { exact: false }).waitFor();
    await owner.page.getByRole('button', { name: 'Save changes' }).first().click();
    await owner.sees('Changes saved');
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    expect(owner.faults).toEqual([]);
  });

  it('a brand that has written none is led to its partners', async () => {
    const { owner, path } = await openBrand(stage);
    await owner.visit(path('messages'), 'Messages');
    await owner.page.getByRole('link', { name: 'View partners' }).click();
    await owner.page.getByRole('heading', { name: 'Partners', level: 1 }).waitFor();
    await owner.page.getByRole('checkbox', { name: /Jane/ }).check();
    await owner.page.getByRole('button', { name: 'Write a message' }).waitFor();
    expect(owner.problems).toEqual([]);
  });

  it('the recipients are paged through one page at a time, however often the next one is asked for', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { page } = owner;
    await soldByMany(stage.service, brand, 250, '2025-10');
    const messageId = await messageIdOf(stage.service, brand);
    await stage.service.sql(
      `insert into partner_message_rows (message_id, partner_id, outcome)
       select $1, partner_id, 'no_account' from memberships where program_id = $2 on conflict do nothing`,
      [messageId, brand.program.id],
    );
    await owner.visit(brand.path('messages'), 'Messages');
    await owner.press(/^Details/);
    const dialog = owner.dialog('News');
    const first = dialog.getByRole('cell', { name: 'Jane', exact: true });
    await first.waitFor();
    let letThrough = () => {};
    const isAskedAgain = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    await page.route('**/recipients?*cursor=*', async (route) => {
      await isAskedAgain;
      await route.continue();
    });
    const next = dialog.getByRole('button', { name: 'Next' });
    await next.click();
    await dialog.locator('button[aria-busy]').waitFor();
    await next.dispatchEvent('click');
    letThrough();
    await first.waitFor({ state: 'detached' });
    await owner.press('Previous', dialog);
    await first.waitFor();
    expect(owner.faults).toEqual([]);
  });
});

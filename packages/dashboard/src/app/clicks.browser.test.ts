import { manage, memberOf, PASSWORD } from '@svc/testkit/service/accounts.ts';
import { Mailbox } from '@svc/testkit/service/mailbox.ts';
import { creativeIdOf } from '@svc/testkit/service/routes/requests/creatives.ts';
import { couponIdOf } from '@svc/testkit/service/routes/requests/links.ts';
import { openInvitation } from '@svc/testkit/service/routes/requests/team.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { soldByMany } from '@svc/testkit/service/sold-by-many.ts';
import type { Route } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { accessibilityProblems } from '../../test/accessibility.ts';
import { type Brand, openBrand } from '../../test/brand.ts';
import { describeInBrowser, startStage } from '../../test/stage.ts';

const mailbox = new Mailbox();
const stage = startStage(async () => {
  await mailbox.open();
  return { SVC_SMTP_URL: mailbox.url, SVC_MAIL_FROM: 'partners@mail.test' };
});
afterAll(() => mailbox.close());

const countOf = async (brand: Brand, table: string): Promise<number> => {
  const [row] = await stage.service.sql<{ count: number }>(`select count(*) from ${table} where program_id = $1`, [
    brand.program.id,
  ]);
  return row?.count ?? -1;
};

const stagesOf = (brand: Brand) =>
  stage.service.sql('select stage, count(*) from commissions where program_id = $1 group by 1 order by 1', [
    brand.program.id,
  ]);

/** Holds a row, so that whatever changes it waits until it is let go. */
async function hold(table: string, id: number | undefined): Promise<() => Promise<void>> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isHeld = () => {};
  const held = new Promise<void>((resolve) => {
    isHeld = resolve;
  });
  const holding = stage.service.ctx.db.transaction(async (tx) => {
    await tx.query(`select from ${table} where id = $1 for update`, [id]);
    isHeld();
    await released;
  });
  await held;
  return async () => {
    release();
    await holding;
  };
}

/** The next request is carried out, but its answer does not arrive. */
function loseAnswer({ page }: Brand['owner'], path: string) {
  const lose = async (route: Route) => {
    await route.fetch();
    await route.abort();
  };
  return page.route(path, lose, { times: 1 });
}

describeInBrowser('a click does exactly what the screen says', () => {
  it('without a connection, it says at once that nothing was changed, and nothing is done later', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await soldByMany(stage.service, brand, 2, '2025-10');
    await stage.service.sql(`update commissions set stage = 'approved', hold_reason = null where program_id = $1`, [
      brand.program.id,
    ]);
    await owner.visit(brand.path('payouts'), 'Payouts');
    await owner.press('Pay by hand…');
    const run = owner.dialog('Pay by hand');
    await run.getByText('2 payouts, $40.00').waitFor();
    owner.isProfileChanged = true;
    // One answer may still be from the moment before.
    await owner.page.route(`**${brand.path('payouts')}`, (route) => route.fulfill({ status: 200 }), { times: 1 });
    await owner.context.setOffline(true);
    await owner.sees('You’re offline. What you see may be out of date, and nothing can be changed.');
    await owner.press('Create 2 payouts', run);
    await run.getByText('You’re offline. Nothing was changed.').waitFor();
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    await owner.press('Cancel', run);
    await owner.context.setOffline(false);
    await owner.page.getByText('What you see may be out of date').waitFor({ state: 'detached' });

    await owner.visit(brand.path('settings'), 'Settings');
    await owner.fill('Name', 'Renamed while offline');
    await owner.context.setOffline(true);
    await owner.press('Save changes');
    await owner.sees('You’re offline. Nothing was changed.');
    await owner.context.setOffline(false);
    await owner.page.reload();
    await owner.untilLoaded();
    expect(await countOf(brand, 'payouts')).toBe(0);
    expect(await stage.service.sql('select name from programs where id = $1', [brand.program.id])).toEqual([
      { name: brand.program.name },
    ]);
  });

  it('without a connection, a button or menu item without a form says so too', async () => {
    const brand = await openBrand(stage);
    const { service } = stage;
    const { owner, link } = brand;
    const { page } = owner;
    await couponIdOf(service, brand);
    for (const _ of [1, 2]) await creativeIdOf(service, brand);
    await openInvitation(service, brand.workspaceId);
    await service.sql(`update memberships set status = 'applied' where partner_id = $1`, [brand.partnerId]);
    const shown = page.getByText('You’re offline. Nothing was changed.');
    owner.isProfileChanged = true;
    const saysSo = async (path: string, heading: string, act: () => Promise<void>) => {
      await owner.visit(brand.path(path), heading);
      await owner.untilLoaded();
      await owner.context.setOffline(true);
      await act();
      await shown.filter({ visible: true }).first().waitFor();
      await owner.context.setOffline(false);
      await page.getByText('What you see may be out of date').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: /^(Dismiss|Cancel)$/ }).click();
      await shown.first().waitFor({ state: 'detached' });
    };
    const creative = page.getByRole('button', { name: 'Actions for Banner' }).last();
    const chosen = async (item: string) => {
      await creative.click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    const inDialog = async (button: string, title: RegExp) => {
      await owner.dialog(title).waitFor();
      await owner.press(button, owner.dialog(title));
    };
    await saysSo('overview', 'Overview', () => owner.choose(/Account menu/, 'Sign out'));
    await saysSo('partners', 'Partners', () => owner.press('Approve'));
    await saysSo('partners', 'Partners', () => owner.choose('Actions for Jane', 'Approve'));
    await saysSo('partners', 'Partners', async () => {
      await owner.choose('Actions for Jane', 'New invite link');
      await inDialog('Create link', /^Create a new invite link/);
    });
    await saysSo('partners', 'Partners', async () => {
      await owner.choose('Actions for Jane', 'Revoke invitation');
      await inDialog('Revoke invitation', /^Revoke the invitation/);
    });
    await saysSo('coupons', 'Coupons', () => owner.press(/^Switch off/));
    await saysSo('links', 'Links', () => owner.choose(`Actions for ${link}`, 'Disable'));
    await saysSo('creatives', 'Creatives', () => chosen('Take back as a draft'));
    await saysSo('creatives', 'Creatives', () => chosen('Move up'));
    await saysSo('team', 'Team', async () => {
      await owner.press(/^New link for/);
      await inDialog('Create link', /^Create a new invite link/);
    });
    await saysSo('team', 'Team', async () => {
      await owner.press(/^Revoke invitation for/);
      await inDialog('Revoke invitation', /^Revoke the invitation/);
    });
    // What one action could not do is not said by the dialog of another one.
    await saysSo('partners', 'Partners', async () => {
      await owner.press('Approve');
      await shown.first().waitFor();
      await owner.choose('Actions for Jane', 'Decline');
      const dialog = owner.dialog('Decline Jane?');
      await dialog.waitFor();
      expect(await dialog.getByText('You’re offline').count()).toBe(0);
      await owner.press('Cancel', dialog);
    });
    await service.sql(`update memberships set status = 'active' where partner_id = $1`, [brand.partnerId]);
    await saysSo('partners', 'Partners', () => owner.choose('Actions for Jane', 'View as partner'));
    expect(owner.faults).toEqual([]);
  });

  /** A brand that approves 450 commissions. The second slice of 200 is held until it is released. */
  async function approvingMany() {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await soldByMany(stage.service, brand, 450, '2025-10');
    const [second] = await stage.service.sql<{ id: number }>(
      'select id from commissions where program_id = $1 order by id desc offset 250 limit 1',
      [brand.program.id],
    );
    const release = await hold('commissions', second?.id);
    await owner.visit(brand.path('commissions'), 'Commissions');
    await owner.page.getByLabel('Select all rows on this page').check();
    await owner.press('Select all 450 commissions');
    await owner.press('Approve');
    await owner.press('Approve', owner.dialog('Approve 450 commissions?'));
    await owner.sees('Approving commissions: 200 of 450');
    return { brand, owner, release };
  }

  it('work over many rows goes on when the page is left, is shown to who comes back, and stops where it says', async () => {
    const { brand, owner, release } = await approvingMany();
    expect(await accessibilityProblems(owner.page)).toEqual([]);

    await owner.page.goto('about:blank');
    await owner.load(brand.path('commissions'), 'Commissions');
    await owner.sees('Approving commissions: 200 of 450');
    const stopping = owner.page.waitForResponse((response) => response.url().endsWith('/stop'));
    await owner.press('Stop');
    await expect
      .poll(() =>
        stage.service.sql(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%stopped%'`,
        ),
      )
      .toHaveLength(1);
    await release();
    expect((await stopping).status()).toBe(200);
    await owner.sees('Stopped: 400 of 450 commissions approved.');
    await stage.service.ctx.bulkWorker.idle();
    expect(await stagesOf(brand)).toEqual([
      { stage: 'approved', count: 400 },
      { stage: 'pending', count: 50 },
    ]);
    await owner.page.getByRole('region', { name: 'Bulk action' }).getByRole('button', { name: 'Dismiss' }).click();
    await owner.page.getByRole('region', { name: 'Bulk action' }).waitFor({ state: 'detached' });
    await owner.page.reload();
    await owner.untilLoaded();
    expect(await owner.page.getByText('Stopped: 400').count()).toBe(0);
    expect(owner.faults).toEqual([]);
  });

  it('work over many rows is done to its end while nobody watches, and says so to who comes back', async () => {
    const { brand, owner, release } = await approvingMany();
    await owner.page.goto('about:blank');
    await release();
    await expect.poll(() => stagesOf(brand)).toEqual([{ stage: 'approved', count: 450 }]);
    await owner.load(brand.path('commissions'), 'Commissions');
    await owner.sees('450 commissions approved');
    expect(owner.faults).toEqual([]);
  });

  it('each bulk action that runs has its box with Stop, and a result is dismissed on its own', async () => {
    const brand = await openBrand(stage);
    const { service } = stage;
    const { owner } = brand;
    const { token: key } = await memberOf(service, brand.workspaceId);
    await soldByMany(service, brand, 2, '2025-10');
    const members = await service.sql<{ id: number }>('select id from memberships where program_id = $1 order by id', [
      brand.program.id,
    ]);
    const release = await hold('memberships', members.at(-1)?.id);
    const start = async (path: string, body: object) =>
      expect((await service.call('POST', manage(brand, `/bulk-actions/${path}`), { key, body })).status).toBe(201);
    await start('change-partners', { filter: {}, count: 3, status: 'blocked' });
    service.advance({ seconds: 1 });
    await start('invite-partners', { partners: [{ name: 'Uwe', email: `uwe-${brand.program.id}@partner.test` }] });
    await owner.visit(brand.path('partners'), 'Partners');
    const boxes = owner.page.getByRole('region', { name: 'Bulk action' });
    const blocking = boxes.filter({ hasText: 'Blocking partners' });
    await blocking.getByRole('button', { name: 'Stop' }).waitFor();
    const inviting = boxes.filter({ hasText: /invit/i });
    await inviting.waitFor();
    service.advance({ seconds: 1 });
    await release();
    const blocked = boxes.filter({ hasText: '3 partners blocked' });
    await blocked.waitFor();
    await inviting.getByRole('button', { name: 'Dismiss' }).click();
    await inviting.waitFor({ state: 'detached' });
    await owner.page.reload();
    await blocked.waitFor();
    expect(await inviting.count()).toBe(0);
    await owner.press('Dismiss', blocked);
    await blocked.waitFor({ state: 'detached' });
    expect(owner.faults).toEqual([]);
  });

  it('a form that is submitted three times in a row, or again after a lost answer, is carried out once', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const dialog = owner.dialog('Bonus or adjustment for Jane');
    const open = async (amount: string) => {
      await owner.press('Bonus or adjustment');
      await dialog.getByLabel('Amount').fill(amount);
      await dialog.getByLabel('Reason').fill(`A bonus of ${amount}`);
    };
    await owner.visit(brand.path(`partners/${brand.partnerId}`), 'Jane');
    await open('7');
    await dialog.getByRole('button', { name: 'Add' }).evaluate((button: HTMLElement) => {
      for (let times = 0; times < 3; times += 1) button.click();
    });
    await owner.sees('$7.00 added to Jane’s earnings');

    await loseAnswer(owner, '**/adjustments');
    await open('8');
    await owner.press('Add', dialog);
    await dialog.getByText('Can’t reach the server. Check your connection and try again.').waitFor();
    await owner.press('Add', dialog);
    await owner.sees('$8.00 added to Jane’s earnings');
    const bonuses = await stage.service.sql(
      'select commission_cents as cents from commissions where program_id = $1 order by id',
      [brand.program.id],
    );
    expect(bonuses).toEqual([{ cents: 700 }, { cents: 800 }]);
  });

  it('a bonus whose answer was lost is added once, whatever else keeps the next attempts from an answer', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const dialog = owner.dialog('Bonus or adjustment for Jane');
    await owner.visit(brand.path(`partners/${brand.partnerId}`), 'Jane');
    await owner.press('Bonus or adjustment');
    await dialog.getByLabel('Amount').fill('9');
    await dialog.getByLabel('Reason').fill('For the launch');
    await loseAnswer(owner, '**/adjustments');
    await owner.press('Add', dialog);
    await dialog.getByText('Can’t reach the server. Check your connection and try again.').waitFor();

    owner.isProfileChanged = true;
    await owner.context.setOffline(true);
    await owner.press('Add', dialog);
    await dialog
      .getByText(
        'You’re offline. Your first try may have reached the server. Try again when you’re online: nothing is done twice.',
      )
      .waitFor();
    await owner.context.setOffline(false);
    const answers = [
      { status: 409, says: 'The server is still working on your first try.' },
      { status: 429, says: 'Something went wrong. Try again.' },
    ];
    for (const { status, says } of answers) {
      const answer = { status, headers: { 'Retry-After': '1' }, contentType: 'application/json', body: '{}' };
      await owner.page.route('**/adjustments', (route) => route.fulfill(answer), { times: 1 });
      await owner.press('Add', dialog);
      await dialog.getByText(says).waitFor();
    }
    await owner.press('Add', dialog);
    await owner.sees('$9.00 added to Jane’s earnings');
    expect(await countOf(brand, 'commissions')).toBe(1);
  });

  it('after a lost answer and another change, the same request is a new one', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const dialog = owner.dialog('Bonus or adjustment for Jane');
    const open = async (amount: string) => {
      await owner.press('Bonus or adjustment');
      await dialog.getByLabel('Amount').fill(amount);
      await dialog.getByLabel('Reason').fill('For the launch');
      await owner.press('Add', dialog);
    };
    await owner.visit(brand.path(`partners/${brand.partnerId}`), 'Jane');
    await loseAnswer(owner, '**/adjustments');
    await open('9');
    await dialog.getByText('Can’t reach the server. Check your connection and try again.').waitFor();
    await dialog.getByLabel('Amount').fill('5');
    await owner.press('Add', dialog);
    await dialog.waitFor({ state: 'hidden' });
    await open('9');
    await owner.sees('$9.00 added to Jane’s earnings');
    const bonuses = await stage.service.sql(
      'select commission_cents as cents from commissions where program_id = $1 order by id',
      [brand.program.id],
    );
    expect(bonuses).toEqual([{ cents: 900 }, { cents: 500 }, { cents: 900 }]);
  });

  it('a session that has ended is renewed over the page; what was typed stays, and is saved', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await owner.visit(brand.path('settings'), 'Settings');
    await owner.fill('Name', 'Acme after the break');
    await stage.service.sql('delete from sessions where user_id = $1', [owner.userId]);
    await owner.press('Save changes');
    const dialog = owner.dialog('Sign in again');
    await dialog.waitFor();
    expect(await dialog.getByLabel('Email').inputValue()).toBe(owner.email);
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    await dialog.getByLabel('Password', { exact: true }).fill('not the password');
    await owner.press('Sign in', dialog);
    await dialog
      .getByRole('alert')
      .getByText(/password/i)
      .waitFor();
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await owner.press('Sign in', dialog);
    await owner.sees('Changes saved');
    expect(await owner.page.getByLabel('Name', { exact: true }).inputValue()).toBe('Acme after the break');
    expect(await stage.service.sql('select name from programs where id = $1', [brand.program.id])).toEqual([
      { name: 'Acme after the break' },
    ]);

    // Somebody who would rather not sign in here goes to the page for it.
    await stage.service.sql('delete from sessions where user_id = $1', [owner.userId]);
    await owner.page.reload();
    await owner.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  });

  it('asks before it discards what was typed: in a dialog, and in a tab of the settings', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await owner.visit(brand.path('links'), 'Links');
    await owner.press('New link');
    const dialog = owner.dialog('New link');
    await dialog.waitFor();
    await owner.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await owner.press('New link');
    await dialog.getByLabel('Link name').fill('summer');
    await owner.page.keyboard.press('Escape');
    const question = owner.dialog('Close without saving?');
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    await owner.press('Keep editing', question);
    await question.waitFor({ state: 'detached' });
    expect(await dialog.getByLabel('Link name').inputValue()).toBe('summer');
    // This waits until the dialog takes clicks again, a moment after the question is gone.
    await dialog.getByLabel('Link name').click();
    await owner.page.mouse.click(5, 5);
    await owner.press('Discard changes', question);
    await dialog.waitFor({ state: 'detached' });

    await owner.visit(`${brand.path('settings')}?tab=join`, 'Settings');
    await owner.press('Add a question');
    await owner.page.getByLabel('Question', { exact: true }).fill('Where will you recommend us?');
    await owner.page.getByRole('tab', { name: 'Tracking' }).click();
    await owner.press('Keep editing', owner.dialog('Leave without saving?'));
    expect(await owner.page.getByLabel('Question', { exact: true }).inputValue()).toBe('Where will you recommend us?');
    await owner.press('Save questions');
    await owner.sees('Changes saved');
    const agreement = owner.page.getByRole('form', { name: 'Agreement' }).getByLabel('Text');
    await agreement.fill('Partners say that they are paid.');
    await owner.page.getByRole('tab', { name: 'Tracking' }).click();
    await owner.press('Keep editing', owner.dialog('Leave without saving?'));
    expect(await agreement.inputValue()).toBe('Partners say that they are paid.');
    await owner.press('Save agreement');
    await owner.sees(/^Version 1, since /);
    await owner.page.getByRole('tab', { name: 'Tracking' }).click();
    await owner.page.waitForURL('**/settings?tab=tracking');
    expect(owner.faults).toEqual([]);
  });

  it('keeps what is being typed when something else is saved meanwhile, and shows settings of one reply', async () => {
    const brand = await openBrand(stage);
    const { service } = stage;
    const { owner, program } = brand;
    const { page } = owner;
    const { token: key } = await memberOf(service, brand.workspaceId);
    const colleague = async (path: string, body: object) =>
      expect((await service.call('PATCH', manage(brand, path), { key, body })).status).toBe(200);

    await owner.visit(`${brand.path('settings')}?tab=payouts`, 'Settings');
    const wait = page.getByLabel('Wait after approval (days)');
    await wait.fill('7');
    await owner.select('Who approves a run', 'A second person: not the one who made the run');
    await owner.press('Add…');
    await owner.fill('Name', 'Acme GmbH');
    await owner.press('Save payer');
    await owner.sees('Payer saved');
    await owner.untilLoaded();
    expect(await wait.inputValue()).toBe('7');
    expect(await page.getByText('meanwhile').count()).toBe(0);
    await owner.press('Save changes');
    await owner.sees('Changes saved');
    await owner.untilLoaded();
    expect(
      await service.sql('select net_days, two_persons from payout_settings where program_id = $1', [program.id]),
    ).toEqual([{ net_days: 7, two_persons: true }]);

    await owner.visit(`${brand.path('settings')}?tab=tracking`, 'Settings');
    const cookie = page.getByLabel('Cookie duration (days)');
    await cookie.fill('45');
    await owner.press('Add via');
    await page.getByRole('list', { name: 'Link parameters' }).getByText('via', { exact: true }).waitFor();
    await owner.untilLoaded();
    expect(await cookie.inputValue()).toBe('45');
    expect(await page.getByText('meanwhile').count()).toBe(0);
    await owner.press('Save changes');
    await expect
      .poll(() => service.sql('select cookie_window_days as days from programs where id = $1', [program.id]))
      .toEqual([{ days: 45 }]);

    await owner.visit(`${brand.path('settings')}?tab=join`, 'Settings');
    const agreement = page.getByRole('form', { name: 'Agreement' }).getByLabel('Text');
    await agreement.fill('Typed');
    await colleague('/join-page', { agreement: 'Of a colleague' });
    await owner.press('Save questions');
    await owner.sees('Version 1 was published meanwhile.');
    expect(await agreement.inputValue()).toBe('Typed');
    expect(await accessibilityProblems(page)).toEqual([]);
    await owner.press('Start again');
    await expect.poll(() => agreement.inputValue()).toBe('Of a colleague');
    expect(await page.getByText('meanwhile').count()).toBe(0);

    // What a form shows before and after it was fetched again is of one reply: never a new rate beside an old type.
    const commission = `${brand.path('settings')}?tab=commission`;
    await owner.visit(commission, 'Settings');
    await page.getByLabel('Percent', { exact: true }).waitFor();
    await colleague('', { commission_type: 'fixed', commission_rate: 5 });
    await owner.goTo(commission);
    await page.getByRole('combobox', { name: 'Commission type' }).getByText('Fixed amount for each sale').waitFor();
    await owner.press('Save changes');
    await owner.sees('Changes saved');
    const saved = await service.sql('select commission_type, commission_rate from programs where id = $1', [
      program.id,
    ]);
    expect(saved).toMatchObject([{ commission_type: 'fixed' }]);

    await soldByMany(service, brand, 1, '2025-10');
    await service.sql(`update commissions set stage = 'approved', hold_reason = null where program_id = $1`, [
      program.id,
    ]);
    await owner.visit(brand.path('payouts'), 'Payouts');
    await owner.press(/^Pay by hand:/);
    const paying = owner.dialog(/^Pay .* by hand$/);
    await paying.getByLabel('I have sent the money: mark it as paid').check();
    await paying.getByLabel('Reference').fill('SEPA 17');
    await page.keyboard.press('Escape');
    await owner.press('Keep editing', owner.dialog('Close without saving?'));
    expect(await paying.getByLabel('Reference').inputValue()).toBe('SEPA 17');
    expect(owner.faults).toEqual([]);
  });

  it('a rejection is undone from its message, and a note is deleted only after a question', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { transactionId } = await sold(stage.service, brand);
    await owner.visit(brand.path('commissions'), 'Commissions');
    await owner.choose(`Actions for ${transactionId}`, 'Reject');
    await owner.press('Reject', owner.dialog(/^Reject .* to Jane\?/));
    await owner.row(transactionId).getByText('Rejected').waitFor();
    await owner.press('Undo');
    await owner.sees('Rejection undone');
    await owner.row(transactionId).getByText('Pending').waitFor();
    expect(await stagesOf(brand)).toEqual([{ stage: 'pending', count: 1 }]);

    await owner.choose(`Actions for ${transactionId}`, 'Approve');
    await owner.press('Cancel', owner.dialog(/^Approve .* to Jane\?/));
    expect(await stagesOf(brand)).toEqual([{ stage: 'pending', count: 1 }]);

    await owner.visit(brand.path(`partners/${brand.partnerId}`), 'Jane');
    await owner.fill('New note', 'Met at a fair');
    await owner.press('Add note');
    await owner.press('Delete note: Met at a fair');
    await owner.press('Cancel', owner.dialog('Delete this note?'));
    await owner.sees('Met at a fair');
    await owner.press('Delete note: Met at a fair');
    await owner.press('Delete note', owner.dialog('Delete this note?'));
    await owner.sees('Note deleted');
    expect(owner.faults).toEqual([]);
  });

  it('an error of the server says what to do, and which request to report', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const failure = { status: 500, headers: { 'X-Request-ID': 'req-4711' }, json: { error: { message: 'Internal' } } };
    await owner.visit(brand.path('settings'), 'Settings');
    await owner.page.route('**/api/v1/manage/programs/*', (route) =>
      route.request().method() === 'PATCH' ? route.fulfill(failure) : route.continue(),
    );
    await owner.press('Save changes');
    await owner.sees(
      'Something went wrong on the server. Try again. If it happens again, report it with the request ID req-4711.',
    );
  });

  it('what is answered in place of the service does not reach the next person with the same browser', async () => {
    stage.beginVisit();
    const { page } = await stage.stranger();
    const statusOf = async (path: string) => (await page.goto(path))?.status();
    await page.route('**/healthz', (route) => route.fulfill({ status: 500 }));
    await page.context().route('**/readyz', (route) => route.fulfill({ status: 500 }));
    expect([await statusOf('/healthz'), await statusOf('/readyz')]).toEqual([500, 500]);
    await stage.endVisit();
    const next = await stage.stranger();
    expect(next.page).toBe(page);
    expect([await statusOf('/healthz'), await statusOf('/readyz')]).toEqual([200, 200]);
  });

  it('says what an unconfirmed address misses, and sends a link from there', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await owner.visit(brand.path('overview'), 'Overview');
    await owner.sees(`Confirm ${owner.email}. Until then we don’t email you about applications, sales or payouts.`);
    await owner.press('Send me a link');
    await owner.sees('We’ve sent you a link');
    await mailbox.next(owner.email);
    await stage.service.sql('update users set email_verified = true where id = $1', [owner.userId]);
    await owner.load(brand.path('overview'), 'Overview');
    expect(await owner.page.getByRole('button', { name: 'Send me a link' }).count()).toBe(0);

    // Somebody with a copied link to an invitation gets the button where it is needed.
    const guest = await stage.person(`${newId('guest')}@people.test`);
    const url = await owner.page.evaluate(async (email) => {
      const headers = { 'Content-Type': 'application/json' };
      const body = JSON.stringify({ email, role: 'viewer' });
      const answer = await fetch('/api/v1/manage/invitations', { method: 'POST', headers, body });
      return ((await answer.json()) as { data: { invite_url: string } }).data.invite_url;
    }, guest.email);
    await guest.page.goto(url);
    await guest.press('Accept invitation');
    await guest.sees(`Open the link that we send to ${guest.email}.`);
    await guest.press('Send me a link');
    await guest.sees('We’ve sent you a link');
  });

  it('the actions of an application are on one line', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await stage.service.sql(`update memberships set status = 'applied' where program_id = $1`, [brand.program.id]);
    await owner.page.setViewportSize({ width: 1440, height: 900 });
    await owner.visit(brand.path('partners'), 'Partners');
    const middleOf = async (name: string | RegExp) => {
      const box = await owner.row('Jane').getByRole('button', { name }).boundingBox();
      return Math.round((box?.y ?? 0) + (box?.height ?? 0) / 2);
    };
    expect(Math.abs((await middleOf('Approve')) - (await middleOf('Actions for Jane')))).toBeLessThanOrEqual(2);
  });
});

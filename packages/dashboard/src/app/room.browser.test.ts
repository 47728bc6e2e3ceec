import { manage, memberOf } from '@svc/testkit/service/accounts.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';
import { openBrand, partnerPerson } from '../../test/brand.ts';
import type { Person } from '../../test/person.ts';
import { describeInBrowser, startStage } from '../../test/stage.ts';

const stage = startStage();

const DESK = { width: 1280, height: 720 };
const WIDE_DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** The narrowest screen that pages are made for. */
const SMALL_PHONE = { width: 320, height: 640 };

/** Lines of ids and event names that end inside a word, as “commiss|ion.created”. */
const tornWords = ({ page }: Person) =>
  page.locator('main code').evaluateAll((codes) =>
    codes.flatMap((code) => {
      const text = code.textContent ?? '';
      const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
      const tops: number[] = [];
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        for (let at = 0; at < (node.textContent ?? '').length; at += 1) {
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + 1);
          tops.push(Math.round(range.getBoundingClientRect().top));
        }
      }
      return tops.flatMap((top, at) => {
        const isTorn = at > 0 && top !== tops[at - 1] && /\w/.test(text[at - 1] ?? '') && /[a-z]/.test(text[at] ?? '');
        return isTorn && text[at - 1] !== '_' ? [`${text.slice(0, at)}|${text.slice(at)}`] : [];
      });
    }),
  );

describeInBrowser('where there is little room', () => {
  it('commissions have their customer and a button that approves them on a laptop', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { transactionId } = await sold(stage.service, brand);
    await owner.page.setViewportSize(DESK);
    await owner.visit(brand.path('commissions'), 'Commissions');
    await owner.page.getByRole('columnheader', { name: 'Customer' }).waitFor();
    await owner.press(`Approve ${transactionId}`);
    await owner.dialog(/^Approve \$/).waitFor();
    expect(owner.problems).toEqual([]);
  });

  it('the menu shows the page that is open, and the account, on a laptop', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await owner.page.setViewportSize(DESK);
    const menu = owner.page.getByRole('navigation', { name: 'Program' });
    for (const [path, title] of [
      ['audit', 'Audit log'],
      ['overview', 'Overview'],
    ] as const) {
      await owner.load(brand.path(path), title);
      const [room, shown, account] = await Promise.all(
        [menu, menu.getByRole('link', { name: title }), owner.page.getByRole('button', { name: 'Account menu' })].map(
          async (part) => (await part.boundingBox()) ?? { y: 0, height: 0 },
        ),
      );
      const bottomOf = ({ y = 0, height = 0 } = {}) => y + height;
      expect(shown?.y).toBeGreaterThanOrEqual(room?.y ?? 0);
      expect(bottomOf(shown)).toBeLessThanOrEqual(bottomOf(room));
      expect(account?.y).toBeGreaterThanOrEqual(bottomOf(room));
      expect(bottomOf(account)).toBeLessThanOrEqual(DESK.height);
    }
  });

  it('the filters of payouts are on one line on a laptop, and the buttons of commission rules end where the page does', async () => {
    const { owner, path } = await openBrand(stage);
    await owner.page.setViewportSize(DESK);
    await owner.visit(path('payouts?tab=payouts'), 'Payouts');
    await owner.page.getByRole('link', { name: 'Export CSV' }).waitFor();
    const filters = owner.page.locator('[data-list] .flex-wrap').first();
    const tops = await filters.evaluate((line) => [...line.children].map((part) => part.getBoundingClientRect().top));
    expect(new Set(tops).size).toBe(1);
    await owner.visit(path('terms'), 'Commission rules');
    const [button, tabs] = await Promise.all(
      [owner.page.getByRole('button', { name: 'New group' }), owner.page.getByRole('tablist')].map((part) =>
        part.evaluate((element) => element.getBoundingClientRect().right),
      ),
    );
    expect(button).toBe(tabs);
    expect(owner.problems).toEqual([]);
  });

  it('a payout says what became of it before its lines on a phone, and beside them at the desk', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { commissionId } = await sold(stage.service, brand);
    const { token } = await memberOf(stage.service, brand.workspaceId);
    await stage.service.call('POST', manage(brand, '/commissions/approve'), {
      key: token,
      body: { ids: [commissionId] },
    });
    const { body } = await stage.service.call('POST', manage(brand, '/payouts'), { key: token, body: {} });
    const { id } = body.data[0];
    const details = owner.page.getByRole('region', { name: `Payout ${id}` });
    const lines = owner.page.getByRole('region', { name: 'Commissions in this payout' });
    const boxes = async () => {
      await owner.visit(brand.path(`payouts/${id}`));
      await owner.untilLoaded();
      const [one, other] = await Promise.all([details.boundingBox(), lines.boundingBox()]);
      return { details: one ?? { x: 0, y: 0, height: 0 }, lines: other ?? { x: 0, y: 0, height: 0 } };
    };
    await owner.page.setViewportSize(PHONE);
    const onPhone = await boxes();
    expect(onPhone.details.y + onPhone.details.height).toBeLessThanOrEqual(onPhone.lines.y);
    await owner.page.setViewportSize(DESK);
    const atDesk = await boxes();
    expect(atDesk.details.x).toBeGreaterThan(atDesk.lines.x);
    expect(owner.problems).toEqual([]);
  });

  it('what is copied has the room on a phone, and examples in fields end with an ellipsis', async () => {
    const brand = await openBrand(stage);
    const jane = await partnerPerson(stage, brand.partnerId);
    const copy = jane.page.getByRole('button', { name: `Copy ${brand.link}`, exact: true });
    const textOn = async (screen: typeof PHONE) => {
      await jane.page.setViewportSize(screen);
      await jane.visit(`/app/portal/${brand.program.id}/overview`, 'Overview');
      return copy.evaluate((button) => (button as HTMLElement).innerText);
    };
    expect([await textOn(PHONE), await textOn(DESK)]).toEqual(['', 'Copy']);
    const field = jane.page.getByLabel('Page it leads to');
    expect(await field.evaluate((input) => getComputedStyle(input).textOverflow)).toBe('ellipsis');
    expect(jane.problems).toEqual([]);
  });

  it('columns that had no room while the window changed come back with it', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { page } = owner;
    await sold(stage.service, brand);
    await page.addInitScript(() => {
      // Tells of new sizes when it is asked to.
      const Real = ResizeObserver;
      const state = { isHeld: false, held: [] as (() => void)[] };
      const release = () => {
        state.isHeld = false;
        for (const tell of state.held.splice(0)) tell();
      };
      Object.assign(globalThis, { sizes: { hold: () => (state.isHeld = true), release } });
      globalThis.ResizeObserver = class extends Real {
        constructor(callback: ResizeObserverCallback) {
          super((...told) => {
            if (state.isHeld) state.held.push(() => callback(...told));
            else callback(...told);
          });
        }
      };
    });
    const titles = () => page.locator('th').allInnerTexts();
    await page.setViewportSize({ width: 1280, height: 900 });
    await owner.load(brand.path('commissions'), 'Commissions');
    await owner.untilLoaded();
    const before = await titles();
    await page.evaluate(() => Object(globalThis).sizes.hold());
    await page.setViewportSize({ width: 390, height: 900 });
    // The list is drawn before it is told of its new size.
    for (let n = 0; n < 8; n++) await page.getByLabel('Select all rows on this page').click();
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.evaluate(() => Object(globalThis).sizes.release());
    await expect.poll(titles).toEqual(before);
    await page.setViewportSize({ width: 390, height: 900 });
    await expect.poll(async () => (await titles()).length).toBeLessThan(before.length);
    await page.setViewportSize({ width: 1280, height: 900 });
    await expect.poll(titles).toEqual(before);
    expect(owner.problems).toEqual([]);
  });

  it('a long name and a long address end with an ellipsis on a phone', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const name = 'Maximiliane Alexandra of a long line of partners and their friends';
    const email = `${'maximiliane.'.repeat(6)}${brand.partnerId}@partner.test`;
    await stage.service.sql('update partners set name = $2, email = $3 where id = $1', [brand.partnerId, name, email]);
    await owner.page.setViewportSize(PHONE);
    await owner.visit(brand.path('partners'), 'Partners');
    const list = owner.page.getByRole('region', { name: 'Partners' });
    for (const text of [name, email]) {
      const shown = await list.getByText(text, { exact: true }).evaluate((element) => {
        const { textOverflow, overflowX } = getComputedStyle(element);
        return { textOverflow, overflowX, isCut: element.scrollWidth > element.clientWidth };
      });
      expect(shown).toEqual({ textOverflow: 'ellipsis', overflowX: 'hidden', isCut: true });
    }
    expect(await list.evaluate((table) => table.scrollWidth - table.clientWidth)).toBe(0);
    await owner.page.setViewportSize(DESK);
  });

  it('names of events end their lines between words', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await sold(stage.service, brand);
    await owner.page.setViewportSize(SMALL_PHONE);
    for (const page of ['events?live=off&tab=feed', 'settings?tab=payments', 'settings?tab=webhooks']) {
      await owner.visit(brand.path(page));
      await owner.untilLoaded();
      expect(await tornWords(owner), page).toEqual([]);
    }
    await owner.page.setViewportSize(DESK);
  });

  it('a report is broken down with a select on a phone, and with buttons at the desk', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await sold(stage.service, brand);
    await owner.page.setViewportSize(PHONE);
    await owner.visit(brand.path('reports'), 'Reports');
    await owner.select('Break down by', 'Links');
    await owner.page.waitForURL('**/reports?breakdown=link');
    await owner.page.getByRole('columnheader', { name: 'Link' }).waitFor();
    expect(await owner.page.getByRole('button', { name: 'Landing pages' }).count()).toBe(0);
    await owner.page.setViewportSize(DESK);
    await owner.press('Landing pages');
    await owner.page.waitForURL('**/reports?breakdown=landing_page');
    expect(await owner.page.getByRole('combobox', { name: 'Break down by' }).count()).toBe(0);
    expect(owner.problems).toEqual([]);
  });
});

/** What selects show of what is chosen in them although it has no room there. */
const cutChoices = ({ page }: Person) =>
  page.locator('main button[role=combobox] > span:first-child').evaluateAll((texts) =>
    texts.flatMap((text) => {
      const isCut = text.scrollWidth > text.clientWidth || text.scrollHeight > text.clientHeight;
      return isCut ? [text.textContent] : [];
    }),
  );

describeInBrowser('selects, tabs and cards', () => {
  it('show all of what is chosen, and on a phone, filters fill the list, two on a line', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    for (const screen of [WIDE_DESK, PHONE]) {
      await owner.page.setViewportSize(screen);
      for (const [path, title] of [
        ['held', 'Held for review'],
        ['coupons', 'Coupons'],
        ['commissions?status=partially_reversed', 'Commissions'],
      ] as const) {
        await owner.visit(brand.path(path), title);
        await owner.untilLoaded();
        expect(await cutChoices(owner), path).toEqual([]);
      }
    }
    await owner.visit(brand.path('commissions'), 'Commissions');
    const places = await owner.page
      .locator('[data-list] .flex-wrap')
      .first()
      .evaluate((toolbar) => {
        const { left, right } = toolbar.getBoundingClientRect();
        const { paddingLeft, paddingRight } = getComputedStyle(toolbar);
        const buttons = [...toolbar.querySelectorAll('[role=combobox]')].map((button) =>
          button.getBoundingClientRect(),
        );
        const room = [left + Number.parseFloat(paddingLeft), right - Number.parseFloat(paddingRight)];
        return { room, buttons: buttons.map(({ left, right, top }) => ({ left, right, top })) };
      });
    const [statuses, partners, ...others] = places.buttons;
    expect(others).toEqual([]);
    expect(partners?.top).toBe(statuses?.top);
    expect([statuses?.left, partners?.right]).toEqual(places.room);
    await owner.page.setViewportSize(DESK);
  });

  it('of a report are as wide when they are chosen as when they are not', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await sold(stage.service, brand);
    await owner.page.setViewportSize(WIDE_DESK);
    await owner.visit(brand.path('reports'), 'Reports');
    const tabs = owner.page.getByRole('group', { name: 'Break down by' }).getByRole('button');
    await tabs.first().waitFor();
    await owner.untilLoaded();
    const places = () => tabs.evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().toJSON()));
    const before = await places();
    const lines = new Set(before.map(({ top }) => top)).size;
    for (const name of await tabs.allInnerTexts()) {
      await owner.press(name, owner.page.getByRole('group', { name: 'Break down by' }));
      await owner.page.getByRole('button', { name, exact: true, pressed: true }).waitFor();
      const now = await places();
      expect(now.map(({ width }) => width)).toEqual(before.map(({ width }) => width));
      expect(new Set(now.map(({ top }) => top)).size).toBe(lines);
    }
    await owner.page.setViewportSize(DESK);
  });

  it('leave their margin free on a phone, and options of commands stay on one line', async () => {
    const { owner } = await openBrand(stage);
    await owner.page.setViewportSize(PHONE);
    await owner.load('/app/start', 'Create your program');
    const { x, width } = (await owner.page.getByRole('main').boundingBox()) ?? { x: 0, width: 0 };
    expect({ x, right: PHONE.width - x - width }).toEqual({ x: 16, right: 16 });
    for (let screen = SMALL_PHONE.width; screen <= PHONE.width; screen += 10) {
      await owner.page.setViewportSize({ ...PHONE, width: screen });
      await owner.visit('/app/forgot-password', 'Forgot your password?');
      const lines = await owner.page.locator('main code').evaluate((code) => {
        const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const at = node.textContent?.indexOf('--email') ?? -1;
          if (at < 0) continue;
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + '--email'.length);
          return range.getClientRects().length;
        }
        return 0;
      });
      expect(lines, `at ${screen} pixels`).toBe(1);
    }
    await owner.page.setViewportSize(DESK);
  });
});

describeInBrowser('without anything to show', () => {
  it('a program that is set up says once that its period has nothing, and where earlier figures are', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await partnerPerson(stage, brand.partnerId);
    await sold(stage.service, brand);
    await owner.visit(brand.path('overview?period=custom&from=2020-01-01&to=2020-01-31'), 'Overview');
    await owner.sees('Choose a longer period to see earlier clicks, signups and sales.');
    await owner.untilLoaded();
    const titles = owner.page.getByRole('heading', { name: /in this period$/ });
    expect(await titles.allInnerTexts()).toEqual(['No activity in this period']);
    expect(owner.problems).toEqual([]);
  });

  it('pages say that nothing has happened instead of drawing flat lines, on both sides', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const jane = await partnerPerson(stage, brand.partnerId);
    const pages: [Person, string, string][] = [
      [owner, brand.path('overview'), 'No activity in this period'],
      [owner, brand.path('reports?metric=revenue'), 'No revenue in this period'],
      [owner, brand.path(`partners/${brand.partnerId}`), 'No clicks in this period'],
      [jane, `/app/portal/${brand.program.id}/overview`, 'No clicks in this period'],
      [jane, `/app/portal/${brand.program.id}/reports`, 'No clicks in this period'],
    ];
    for (const [person, path, title] of pages) {
      await person.visit(path);
      await person.page.getByRole('heading', { name: title }).waitFor();
      await person.untilLoaded();
      expect(await person.page.locator('main polyline, main .recharts-surface').count(), path).toBe(0);
    }
    expect([...owner.problems, ...jane.problems]).toEqual([]);
  });
});

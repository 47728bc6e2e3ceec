import { eventually } from '@svc/testkit/service/eventually.ts';
import { expect, it } from 'vitest';
import { clickIdOn, trackerOn } from '../test/visitor.ts';
import { BUILDS, describeInBrowser, startWorld } from '../test/world.ts';

const world = startWorld();

describeInBrowser.each(BUILDS)('a signup reported by the %s', (build) => {
  it('sends the click id, the customer key and the e-mail, and makes the visitor a lead of the partner', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const path = world.site.path(build, { programId: program.program.id });
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`);
    const clickId = await clickIdOn(page);

    const answer = await page.evaluate(() => window.svc.signup('user_1', 'john@example.com'));

    expect(answer).toMatchObject({ success: true });
    expect(visitor.leads).toEqual([
      { click_id: clickId, customer_key: 'user_1', email: 'john@example.com', program_id: program.program.id },
    ]);
    expect((await world.stored(program)).customers).toMatchObject([
      { partner_id: program.partnerId, customer_key: 'user_1', status: 'lead', email_masked: 'j***@example.com' },
    ]);
  });

  it('sends the customer key with the program id if there is no cookie', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const path = world.site.path(build, { programId: program.program.id });
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}`);
    await trackerOn(page);

    const answer = await page.evaluate(() => window.svc.signup('user_2'));

    expect(answer).toMatchObject({ success: true });
    expect(visitor.leads).toEqual([{ click_id: null, customer_key: 'user_2', program_id: program.program.id }]);
    expect((await world.stored(program)).customers).toMatchObject([
      { partner_id: null, customer_key: 'user_2', status: 'lead' },
    ]);
  });

  it('waits for a click in flight', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await visitor.context.route('**/svc/c', async (route) => {
      await held;
      await route.continue();
    });
    const path = world.site.path(build, { programId: program.program.id });
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`);
    await trackerOn(page);

    const answer = page.evaluate(() => window.svc.signup('user_3'));
    release();

    expect(await answer).toMatchObject({ success: true });
    expect(visitor.leads).toMatchObject([{ click_id: await clickIdOn(page), customer_key: 'user_3' }]);
  });

  it('arrives even if the visitor leaves the page immediately', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const path = world.site.path(build, { programId: program.program.id });
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`);
    await clickIdOn(page);

    await page.evaluate(() => {
      window.svc.signup('user_4');
      location.href = 'about:blank';
    });
    await page.waitForURL('about:blank');

    const { customers } = await eventually(
      () => world.stored(program),
      (stored) => stored.customers[0]?.status === 'lead',
    );
    expect(customers).toMatchObject([{ customer_key: 'user_4', status: 'lead' }]);
  });

  it('is sent with keepalive, unlike a click, whose response needs the page', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    await visitor.context.addInitScript(() => {
      const { fetch } = window;
      window.fetch = (url, options) => {
        document.title += ` ${String(url).split('/').at(-1)}:${options?.keepalive}`;
        return fetch(url, options);
      };
    });
    const path = world.site.path(build, { programId: program.program.id });
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`);
    await clickIdOn(page);
    await page.evaluate(() => window.svc.signup('user_6'));

    expect(await page.title()).toMatch(/ c:false l:true$/);
  });

  it('resolves without an error if the service refuses it', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const path = world.site.path(build, { programId: program.program.id });
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`);
    await clickIdOn(page);

    const answers = await page.evaluate(async () => [
      await window.svc.signup('user_5'),
      await window.svc.signup('user_5'),
    ]);

    expect(answers).toMatchObject([{ success: true }, false]);
    expect(visitor.leads).toHaveLength(2);
    expect(visitor.pageErrors).toEqual([]);
  });
});

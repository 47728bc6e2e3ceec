import { activeHost, newHost, setRecord } from '@svc/testkit/service/dns.ts';
import { expect, it } from 'vitest';
import { accessibilityProblems } from '../../../test/accessibility.ts';
import { openBrand, partnerPerson } from '../../../test/brand.ts';
import { describeInBrowser, startStage } from '../../../test/stage.ts';

const stage = startStage();

describeInBrowser('link hosts in the settings', () => {
  it('an owner adds one, sets the record that it shows, verifies it, and removes it', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const host = newHost();
    await owner.visit(`${brand.path('settings')}?tab=hosts`, 'Settings');
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    await owner.page.getByLabel('Add a host').fill('localhost');
    await owner.press('Add');
    await owner.sees(/must be a host name of your own/);
    await owner.page.getByLabel('Add a host').fill(host);
    await owner.press('Add');
    const item = owner.page.getByRole('list', { name: 'Link hosts' }).getByRole('listitem').first();
    await item.getByText('Pending').waitFor();
    await item.getByText(`_svc.${host}`, { exact: true }).waitFor();
    const value = item.getByText(/^svc-verify=[0-9a-f]{40}$/);
    await value.waitFor();
    await item.getByRole('button', { name: 'Copy the value of the TXT record' }).waitFor();
    await item.getByRole('button', { name: 'Copy the name of the TXT record' }).waitFor();
    // Where the service is on this machine, there is no name that a CNAME could lead to.
    await item.getByRole('button', { name: 'Copy the value of the A record' }).waitFor();
    expect(await accessibilityProblems(owner.page)).toEqual([]);

    await owner.press('Verify');
    await owner.sees(/^There is no TXT record/);
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    await setRecord(stage.service, brand, host);
    await owner.press('Verify');
    await item.getByText('Active').waitFor();
    await owner.sees(`Short links start with http://${host}/.`);
    expect(await accessibilityProblems(owner.page)).toEqual([]);

    await owner.press(`Remove ${host}`);
    await owner.press('Remove', owner.dialog(`Remove ${host}?`));
    await owner.page.getByRole('list', { name: 'Link hosts' }).waitFor({ state: 'detached' });
  });

  it('a host that another program has shows the record that moves it', async () => {
    const host = await activeHost(stage.service, await stage.service.program());
    const brand = await openBrand(stage);
    const { owner } = brand;
    await owner.visit(`${brand.path('settings')}?tab=hosts`, 'Settings');
    await owner.page.getByLabel('Add a host').fill(host);
    await owner.press('Add');
    await owner.page.getByRole('button', { name: 'Copy the value of the TXT record' }).waitFor();
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    await setRecord(stage.service, brand, host);
    await owner.press('Add');
    await owner.page.getByRole('list', { name: 'Link hosts' }).getByText('Active').waitFor();
  });

  it('viewers see hosts without buttons', async () => {
    const brand = await openBrand(stage);
    const host = await activeHost(stage.service, brand);
    await stage.service.sql(`update workspace_members set role = 'viewer' where user_id = $1`, [brand.owner.userId]);
    await brand.owner.visit(`${brand.path('settings')}?tab=hosts`, 'Settings');
    await brand.owner.sees(host);
    expect(await brand.owner.page.getByRole('button', { name: `Remove ${host}` }).count()).toBe(0);
    expect(await brand.owner.page.getByLabel('Add a host').count()).toBe(0);
  });

  it('short addresses are on it, wherever the brand and its partners copy or print them', async () => {
    const brand = await openBrand(stage);
    const { owner, link } = brand;
    const short = `http://${await activeHost(stage.service, brand)}/${link}`;
    const partner = await partnerPerson(stage, brand.partnerId);
    await owner.visit(brand.path('links'), 'Links');
    await partner.visit(`/app/portal/${brand.program.id}/links`, 'Links');
    for (const person of [owner, partner]) {
      await person.context.grantPermissions(['clipboard-read', 'clipboard-write']);
      person.isProfileChanged = true;
      await person.choose(`Actions for ${link}`, 'Copy short address');
      await expect.poll(() => person.page.evaluate(() => navigator.clipboard.readText())).toBe(short);
      await person.page.evaluate(() => navigator.clipboard.writeText(''));
      await person.press(`QR code for ${link}`);
      await person.page.getByRole('img', { name: `QR code for ${short}` }).waitFor();
      await person.page.keyboard.press('Escape');
    }
    await partner.visit(`/app/portal/${brand.program.id}/overview`, 'Overview');
    await partner.press(`Copy the short address of ${link}`);
    await expect.poll(() => partner.page.evaluate(() => navigator.clipboard.readText())).toBe(short);
    expect([...owner.faults, ...partner.faults]).toEqual([]);
  });
});

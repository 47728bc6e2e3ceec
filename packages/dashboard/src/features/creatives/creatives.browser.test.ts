import { readFile } from 'node:fs/promises';
import { PNG } from '@svc/testkit/service/routes/requests/programs.ts';
import { expect, it } from 'vitest';
import { accessibilityProblems } from '../../../test/accessibility.ts';
import { openBrand, partnerPerson } from '../../../test/brand.ts';
import { describeInBrowser, startStage } from '../../../test/stage.ts';

const stage = startStage();

describeInBrowser('creatives', () => {
  it('a brand adds a file and a text; a partner sees, downloads and copies them with their own link', async () => {
    const brand = await openBrand(stage);
    const { owner, link } = brand;
    await owner.visit(brand.path('creatives'), 'Creatives');
    const add = async (title: string, fill: () => Promise<void>) => {
      await owner.page.getByRole('button', { name: 'New creative' }).first().click();
      await fill();
      await owner.fill('Title', title);
      expect(await accessibilityProblems(owner.page)).toEqual([]);
      await owner.press('Add creative', owner.dialog('New creative'));
      await owner.row(title).waitFor();
    };
    const file = { name: 'Banner <b>.html', mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') };
    await add('Banner', () => owner.page.getByLabel('File', { exact: true }).setInputFiles(file));
    await add('Newsletter', async () => {
      await owner.select('Kind', 'Text');
      await owner.fill('Text', 'I like Acme <b>a lot</b>: {link}');
    });
    // The next move is about the order that is being saved.
    let save = () => {};
    const isSaved = new Promise<void>((resolve) => {
      save = resolve;
    });
    await owner.page.route('**/creative-order', async (route) => {
      await isSaved;
      await route.continue();
    });
    await owner.choose('Actions for Newsletter', 'Move up');
    await owner.press('Actions for Banner');
    await owner.page
      .getByRole('menuitem', { name: 'Move up', disabled: true })
      .or(owner.page.getByRole('menuitem', { name: 'Move down', disabled: true }))
      .first()
      .waitFor();
    await owner.page.keyboard.press('Escape');
    save();
    await owner.sees('Newsletter moved');

    const partner = await partnerPerson(stage, brand.partnerId);
    await partner.visit(`/app/portal/${brand.program.id}/creatives`, 'Creatives');
    const url = `https://${brand.program.domain}/?aff=${link}`;
    await partner.sees(`I like Acme <b>a lot</b>: ${url}`);
    expect(await partner.page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual(['Newsletter', 'Banner']);
    expect(await accessibilityProblems(partner.page)).toEqual([]);
    const image = partner.page.getByRole('region', { name: 'Banner' }).locator('img');
    await expect.poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(1);
    const downloading = partner.page.waitForEvent('download');
    await partner.page.getByRole('link', { name: 'Download Banner' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('Banner -b.png');
    expect((await readFile(await download.path())).toString('base64')).toBe(PNG);

    await owner.choose('Actions for Banner', 'Take back as a draft');
    await owner.sees('Banner is a draft again');
    await partner.visit(`/app/portal/${brand.program.id}/creatives`, 'Creatives');
    await partner.sees('Newsletter');
    expect(await partner.page.getByRole('region', { name: 'Banner' }).count()).toBe(0);
    expect([...owner.problems, ...partner.problems]).toEqual([]);
  });
});

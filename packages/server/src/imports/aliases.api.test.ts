import { manage, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { importedRow, sendRows, undoImport } from '@svc/testkit/service/imports.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';

const service = useService();

/** A program on a site of its own that imports a code of another program. */
async function aliased() {
  const first = await ownedProgram(service);
  const made = await ownedProgram(service);
  await service.sql(`update programs set domain = 'other.test' where id = $1`, [made.program.id]);
  const { body } = await sendRows(service, made, [importedRow({ links: [{ parameter: 'via', code: first.link }] })]);
  const [link] = body.data.rows[0].links;
  return { first, made, link, partnerId: body.data.rows[0].partner_id };
}

const clickOn = (host: string, aff: string, origin: string | undefined = `https://${host}`) =>
  service.click({ affiliate_url: `https://${host}/?aff=${aff}` }, { headers: origin ? { origin } : {} });

const lastClick = async (programId: number) =>
  (
    await service.sql('select partner_id, link_id from clicks where program_id = $1 order by id desc limit 1', [
      programId,
    ])
  )[0];

it('a code that another program has is an alias on the sites of the program that imports it', async () => {
  const { first, made, link, partnerId } = await aliased();
  expect(link).toMatchObject({ outcome: 'created', alias: true, message: null });
  expect(link.short_link).not.toBe(first.link);
  for (const origin of ['https://other.test', '']) {
    const answer = await clickOn('other.test', first.link, origin);
    expect(answer).toMatchObject({ status: 200, body: { partner_code: link.short_link } });
    expect(await lastClick(made.program.id)).toEqual({ partner_id: partnerId, link_id: link.link_id });
  }
  expect((await clickOn('acme.test', first.link)).body).toMatchObject({ partner_code: first.link });
  expect(await lastClick(first.program.id)).toMatchObject({ partner_id: first.partnerId });
  expect((await clickOn('third.test', first.link)).status).toBe(403);
});

it('an alias never takes clicks from the sites of the program that has the code', async () => {
  const { first, made } = await aliased();
  await service.sql(`update programs set domain = 'acme.test' where id = $1`, [made.program.id]);
  expect((await clickOn('acme.test', first.link)).body).toMatchObject({ partner_code: first.link });
});

it('a page that names its program means the alias, even if the program that has the code claims the site', async () => {
  const { first, made, link } = await aliased();
  await service.sql(`update programs set allowed_origins = '{https://other.test}' where id = $1`, [first.program.id]);
  const on = async (host: string, programId: unknown, origin = `https://${host}`) => {
    const body = { affiliate_url: `https://${host}/?aff=${first.link}`, program_id: programId };
    return (await service.click(body, { headers: origin ? { origin } : {} })).body.partner_code;
  };
  await expect.poll(() => on('other.test', undefined)).toBe(first.link);
  for (const id of [made.program.id, String(made.program.id)]) {
    expect([await on('other.test', id), await on('other.test', id, '')]).toEqual([link.short_link, link.short_link]);
  }
  // Nobody gets clicks of a site that is not theirs by naming a program, and what names no program changes nothing.
  expect(await on('acme.test', made.program.id)).toBe(first.link);
  for (const other of [first.program.id, 999_999_999, 0, 'x', {}, null]) {
    expect(await on('other.test', other)).toBe(first.link);
  }
});

it('an alias follows changes of its link at once', async () => {
  const { first, made, link } = await aliased();
  expect((await clickOn('other.test', first.link)).status).toBe(200);
  const change = (active: boolean) =>
    service.call('PATCH', manage(made, `/links/${link.link_id}`), { key: made.owner.token, body: { active } });
  await change(false);
  expect((await clickOn('other.test', first.link)).status).toBe(410);
  await change(true);
  expect((await clickOn('other.test', first.link)).status).toBe(200);
});

it('nobody in the program can take an alias over, even when its code is free elsewhere', async () => {
  const first = await ownedProgram(service);
  const made = await ownedProgram(service);
  await service.sql(`update programs set domain = 'other.test' where id = $1`, [made.program.id]);
  const links = [{ parameter: 'via', code: newId('code') }];
  const before = await sendRows(service, first, [importedRow({ links })]);
  const { body } = await sendRows(service, made, [importedRow({ links })]);
  await undoImport(service, first, before.body.data.import.id);
  const [{ code, short_link: shortLink }] = body.data.rows[0].links;
  const taken = await service.call('POST', manage(made, '/links'), {
    key: made.owner.token,
    body: { partner_id: made.partnerId, short_link: code },
  });
  expect(taken.status).toBe(409);
  expect((await clickOn('other.test', code)).body).toMatchObject({ partner_code: shortLink });
});

it('a workspace with many programs does not use a code up for others', async () => {
  const first = await ownedProgram(service);
  const hoarder = await ownedProgram(service);
  const made = await ownedProgram(service);
  await service.sql(
    `with copies as (
       insert into programs (advertiser_id, name, domain, commission_type, commission_rate, slug)
       select $1, 'Copy', 'copy.test', 'percent', 1, 'copy-' || $1::bigint || '-' || n from generate_series(1, 100) n returning id
     ), copied as (
       insert into links (program_id, short_link, created_at)
       select id, 'copy-' || id, now() from copies returning id, program_id
     )
     insert into link_aliases (program_id, code, link_id, created_at) select program_id, $2, id, '2020-01-01' from copied`,
    [hoarder.workspaceId, first.link],
  );
  await service.sql(`update programs set domain = 'other.test' where id = $1`, [made.program.id]);
  const { body } = await sendRows(service, made, [importedRow({ links: [{ parameter: 'via', code: first.link }] })]);
  const [{ short_link: shortLink }] = body.data.rows[0].links;
  expect((await clickOn('other.test', first.link)).body).toMatchObject({ partner_code: shortLink });
});

it('clicks on an alias cost no reads once it is known', async () => {
  const { first } = await aliased();
  const { db } = service.ctx;
  const query = db.query.bind(db);
  /** What a click reads besides itself. */
  const readsOfClick = async () => {
    const read: string[] = [];
    db.query = (sql: string, params?: unknown[]) => {
      if (/from (links|link_aliases|programs)/.test(sql)) read.push(sql);
      return query(sql, params) as never;
    };
    try {
      expect((await clickOn('other.test', first.link)).status).toBe(200);
    } finally {
      db.query = query as never;
    }
    return read;
  };
  // The notification of the import may arrive after a click.
  await expect.poll(readsOfClick).toEqual([]);
});

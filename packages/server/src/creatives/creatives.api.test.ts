import { manage, memberOf, type OwnedProgram, ownedProgram, partnerAccount } from '@svc/testkit/service/accounts.ts';
import { PNG } from '@svc/testkit/service/routes/requests/programs.ts';
import { groupIdOf } from '@svc/testkit/service/routes/requests/terms.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { expect, it } from 'vitest';

const service = useService();

const creativesOf = (made: OwnedProgram, key = made.owner.token) => ({
  list: () => service.call('GET', manage(made, '/creatives'), { key }),
  add: (body: object) => service.call('POST', manage(made, '/creatives'), { key, body }),
  change: (id: number, body: object) => service.call('PATCH', manage(made, `/creatives/${id}`), { key, body }),
  remove: (id: number) => service.call('DELETE', manage(made, `/creatives/${id}`), { key }),
  order: (ids: number[]) => service.call('PUT', manage(made, '/creative-order'), { key, body: { ids } }),
  file: (id: number, headers: Record<string, string> = {}) =>
    service.service.http.inject({
      method: 'GET',
      url: manage(made, `/creatives/${id}/file`),
      headers: { authorization: `Bearer ${key}`, ...headers },
    }),
});

const FILE = { kind: 'file', title: 'Banner', status: 'published', file_name: 'Banner 1.svg', content: PNG };
const LINK = { kind: 'link', title: 'Pricing', status: 'published', url: 'https://acme.test/pricing' };
const TEXT = { kind: 'text', title: 'Newsletter', text: ' I like Acme: {link} ' };

const titlesIn = ({ body }: { body: { data: { title: string }[] } }) => body.data.map(({ title }) => title);

it('adds files, links and texts, changes them, puts them in order and deletes them', async () => {
  const made = await ownedProgram(service);
  const { list, add, change, remove, order } = creativesOf(made);
  const file = await add(FILE);
  const common = { group_id: null, url: null, text: null, file: null, created_at: service.time.toISOString() };
  expect({ status: file.status, body: file.body }).toEqual({
    status: 201,
    body: {
      data: {
        ...common,
        id: expect.any(Number),
        kind: 'file',
        title: 'Banner',
        status: 'published',
        file: { name: 'Banner 1.png', media_type: 'image/png', size_bytes: 70, width: 1, height: 1 },
      },
    },
  });
  const { data: link } = (await add(LINK)).body;
  const { data: text } = (await add(TEXT)).body;
  expect(link).toEqual({ ...common, ...LINK, id: link.id });
  expect(text).toEqual({ ...common, ...TEXT, id: text.id, status: 'draft', text: 'I like Acme: {link}' });
  expect(titlesIn(await list())).toEqual(['Banner', 'Pricing', 'Newsletter']);

  const groupId = await groupIdOf(service, made);
  const changed = await change(link.id, { url: 'https://acme.test/sale', title: 'Sale', group_id: groupId });
  expect(changed.body.data).toEqual({ ...link, url: 'https://acme.test/sale', title: 'Sale', group_id: groupId });
  expect((await change(link.id, { group_id: null })).body.data.group_id).toBeNull();

  const id = file.body.data.id;
  expect(titlesIn(await order([text.id, id, link.id]))).toEqual(['Newsletter', 'Banner', 'Sale']);
  expect((await order([text.id, id])).body.error.message).toContain('in the meantime');
  expect((await order([text.id, id, link.id, 999_999_999])).status).toBe(409);
  expect((await remove(id)).body).toEqual({ data: {} });
  expect((await remove(id)).status).toBe(404);
  expect(titlesIn(await list())).toEqual(['Newsletter', 'Sale']);
  expect(await service.sql('select 1 from creative_files where creative_id = $1', [id])).toEqual([]);
});

it('a field that belongs to another kind is refused by its name', async () => {
  const made = await ownedProgram(service);
  const { add, change } = creativesOf(made);
  const { data: link } = (await add(LINK)).body;
  const refusals = [
    [await add({ ...LINK, url: undefined }), 'url is required', 'url'],
    [
      await add({ ...LINK, url: 'javascript:alert(1)' }),
      'url must be a web address, without a user name or a password',
      'url',
    ],
    [await add({ ...LINK, content: PNG }), 'content does not belong to a link', 'content'],
    [await add({ ...TEXT, url: LINK.url }), 'url does not belong to a text', 'url'],
    [await add({ ...FILE, file_name: undefined }), 'file_name is required', 'file_name'],
    [await change(link.id, { text: 'Hi' }), 'text does not belong to a link', 'text'],
  ] as const;
  for (const [{ status, body }, message, field] of refusals) {
    expect({ status, body }).toEqual({ status: 400, body: platformError(400, 'BadRequestError', message, { field }) });
  }
});

it('partners see what is published for everyone or for their group, and only their own programs', async () => {
  const made = await ownedProgram(service);
  const partner = await partnerAccount(service, made.partnerId);
  const { add, change } = creativesOf(made);
  const seen = creativesOf(made, partner.token);
  const { data: file } = (await add(FILE)).body;
  const { data: text } = (await add(TEXT)).body;
  expect(titlesIn(await seen.list())).toEqual(['Banner']);
  expect((await seen.file(file.id)).statusCode).toBe(200);

  const groupId = await groupIdOf(service, made);
  await change(file.id, { group_id: groupId });
  expect(titlesIn(await seen.list())).toEqual([]);
  expect((await seen.file(file.id)).statusCode).toBe(404);
  await service.sql('update memberships set group_id = $2 where partner_id = $1', [made.partnerId, groupId]);
  const [shown] = (await seen.list()).body.data;
  expect(shown).toMatchObject({ title: 'Banner', group_id: null });

  await change(text.id, { status: 'published' });
  expect(titlesIn(await seen.list())).toEqual(['Banner', 'Newsletter']);
  const [standard] = await service.sql<{ id: number }>(
    'select id from partner_groups where program_id = $1 and is_default',
    [made.program.id],
  );
  await change(text.id, { group_id: standard?.id });
  expect(titlesIn(await seen.list())).toEqual(['Banner']);

  for (const key of [partner.token, (await memberOf(service, made.workspaceId, 'viewer')).token]) {
    const other = creativesOf(made, key);
    for (const answer of [await other.add(FILE), await other.remove(file.id), await other.order([file.id])]) {
      expect([403, 404]).toContain(answer.status);
    }
  }
  const elsewhere = await ownedProgram(service);
  expect((await creativesOf(made, elsewhere.owner.token).file(file.id)).statusCode).toBe(404);
  expect((await creativesOf(elsewhere).file(file.id)).statusCode).toBe(404);
  expect((await creativesOf(elsewhere).add({ ...TEXT, group_id: groupId })).body.error.details).toEqual({
    field: 'group_id',
  });

  await service.sql(`update memberships set status = 'blocked' where partner_id = $1`, [made.partnerId]);
  expect((await seen.list()).status).toBe(404);
  expect((await seen.file(file.id)).statusCode).toBe(404);
});

it('serves files to be saved, with nothing in them that could run, and says when a browser has them already', async () => {
  const made = await ownedProgram(service);
  const { add, file } = creativesOf(made);
  const { data } = (await add({ ...FILE, file_name: 'evil".svg\r\nX-Evil: 1.html' })).body;
  const answer = await file(data.id);
  expect(answer.rawPayload.toString('base64')).toBe(PNG);
  expect(answer.headers).toMatchObject({
    'content-type': 'image/png',
    'content-length': '70',
    'content-disposition': 'attachment; filename="evil-.svg-X-Evil- 1.png"',
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, max-age=31536000, immutable',
    etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
  });
  const known = await file(data.id, { 'if-none-match': String(answer.headers.etag) });
  expect([known.statusCode, known.rawPayload.length]).toEqual([304, 0]);
});

it('refuses files that are too large, each by itself and all together, and names the field', async () => {
  const made = await ownedProgram(service);
  const { add } = creativesOf(made);
  const pdf = (bytes: number) => Buffer.from('%PDF-1.7\n'.padEnd(bytes, ' ')).toString('base64');
  const document = (bytes: number) => ({ ...FILE, file_name: 'kit.pdf', content: pdf(bytes) });
  const MIB = 1024 * 1024;

  const large = await add(document(5 * MIB + 3));
  expect([large.status, large.body.error.details]).toEqual([400, { field: 'content' }]);
  const larger = await add(document(6.5 * MIB));
  expect({ status: larger.status, body: larger.body }).toEqual({
    status: 413,
    body: platformError(413, 'PayloadTooLargeError', 'Request body is larger than 8 MiB', { field: 'content' }),
  });
  // Other routes keep their own, smaller limit.
  const note = await service.call('POST', manage(made, `/partners/${made.partnerId}/notes`), {
    key: made.owner.token,
    body: { text: 'x'.repeat(70_000) },
  });
  expect(note.body).toEqual(platformError(413, 'PayloadTooLargeError', 'Request body is larger than 64 KiB'));

  const { data } = (await add(document(5 * MIB))).body;
  expect(data.file).toMatchObject({ size_bytes: 5 * MIB, media_type: 'application/pdf' });
  await service.sql('update creative_files set size_bytes = $2 where creative_id = $1', [data.id, 99 * MIB]);
  const message = 'The files of a program can have 100 MiB in all, and 1 MiB are left. Delete others first.';
  const full = await add(document(2 * MIB));
  expect({ status: full.status, body: full.body }).toEqual({
    status: 413,
    body: platformError(413, 'PayloadTooLargeError', message, { field: 'content' }),
  });
  const wide = Buffer.from(PNG, 'base64');
  wide.writeUInt32BE(8_001, 16);
  const refused = await add({ ...FILE, content: wide.toString('base64') });
  expect(refused.body.error.message).toBe(
    'content must be at most 8000 × 8000 pixels, and is 8001 × 1. Scale it down and upload it again.',
  );
});

it('a program has at most 200 creatives, also when they are added at the same time', async () => {
  const made = await ownedProgram(service);
  const { add } = creativesOf(made);
  await service.sql(
    `insert into creatives (program_id, kind, title, position, text, created_at)
     select $1, 'text', 'Text ' || n, n, 'x', $2 from generate_series(1, 199) n`,
    [made.program.id, service.time],
  );
  const answers = await Promise.all([add(TEXT), add(TEXT), add(FILE)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  const refused = answers.find(({ status }) => status === 409);
  const message = 'The program has 200 creatives, which is the most. Delete one first.';
  expect(refused?.body).toEqual(platformError(409, 'ConflictError', message));
});

it('a group that creatives are for cannot be deleted', async () => {
  const made = await ownedProgram(service);
  const { add, remove } = creativesOf(made);
  const groupId = await groupIdOf(service, made);
  const { data } = (await add({ ...TEXT, group_id: groupId })).body;
  const removeGroup = () => service.call('DELETE', manage(made, `/groups/${groupId}`), { key: made.owner.token });
  const { status, body } = await removeGroup();
  expect([status, body.error.message]).toEqual([
    409,
    'There are creatives for this group only. Delete them, or show them to another group, first.',
  ]);
  await remove(data.id);
  expect((await removeGroup()).status).toBe(200);
});

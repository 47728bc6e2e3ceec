import { manage, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { csvCells } from '@svc/testkit/service/csv-cells.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { badRequest } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const asOwner = async (made: OwnedProgram, method: string, rest: string, body?: object) => {
  const answer = await service.call(method, manage(made, rest), { key: made.owner.token, body });
  return { status: answer.status, body: answer.body };
};
const put = (made: OwnedProgram, externalId: string, body: object) =>
  asOwner(made, 'PUT', `/partners/by-external-id/${encodeURIComponent(externalId)}`, body);
const conflict = (message: string) => ({
  status: 409,
  body: platformError(409, 'ConflictError', message, { field: 'external_id' }),
});
const TAKEN = conflict('external_id belongs to another partner of this program');
const HAS_OTHER = conflict('The partner with this email has another external_id. Change it with PATCH first.');

const newPartner = () => ({ name: 'Joan', email: `${newId('joan')}@partner.test` });
const idsIn = ({ program }: OwnedProgram) =>
  service.sql('select external_id, partner_id from memberships where program_id = $1 order by partner_id', [
    program.id,
  ]);

describe('PUT /partners/by-external-id/:external_id', () => {
  it('adds and invites a partner once, then changes the name, and says what it did', async () => {
    const made = await ownedProgram(service);
    const partner = newPartner();
    const first = await put(made, 'user/42', partner);
    expect(first).toEqual({
      status: 200,
      body: {
        data: {
          id: expect.any(Number),
          ...partner,
          external_id: 'user/42',
          status: 'active',
          has_account: false,
          account_changed_at: null,
          group_id: made.program.defaultGroupId,
          group_name: 'Default',
          group_by: 'tier',
          recruiter_id: null,
          created_at: service.time.toISOString(),
          is_new: true,
          invite_url: expect.stringContaining('/invite#svc_inv_'),
          mailed: false,
        },
      },
    });
    const { id } = first.body.data;
    const renamed = { ...first.body.data, name: 'Joan of Blog', is_new: false, invite_url: null };
    for (const _ of [1, 2]) {
      const again = await put(made, 'user/42', {
        ...partner,
        email: partner.email.toUpperCase(),
        name: 'Joan of Blog',
      });
      expect(again).toEqual({ status: 200, body: { data: { ...renamed, email: partner.email.toUpperCase() } } });
    }
    const invited = await service.sql('select 1 from invitations where partner_id = $1', [id]);
    expect(invited).toHaveLength(1);
    const audited = await service.sql(
      `select action, before, after from audit_events where subject = 'partner' and subject_id = $1 order by id`,
      [String(id)],
    );
    expect(audited).toEqual([
      { action: 'partner.added', before: {}, after: expect.objectContaining({ external_id: 'user/42' }) },
      { action: 'partner.changed', before: { name: 'Joan' }, after: { name: 'Joan of Blog' } },
    ]);
    const { body: log } = await service.call('GET', '/api/v1/manage/audit?limit=1', { key: made.owner.token });
    expect(log.data[0].sentence).toBe('Robin (account token) changed the name of the partner Joan');
  });

  it('gives its id to a partner who is in the program already, and to nobody twice', async () => {
    const made = await ownedProgram(service);
    const email = `${made.link}@partner.test`;
    const found = await put(made, 'user-1', { name: 'Jane', email });
    expect(found.body.data).toMatchObject({ id: made.partnerId, external_id: 'user-1', is_new: false });
    expect(await put(made, 'user-2', { name: 'Jane', email })).toEqual(HAS_OTHER);
    const before = await idsIn(made);
    expect(await put(made, 'user-1', newPartner())).toEqual(TAKEN);
    expect(await asOwner(made, 'POST', '/partners', { ...newPartner(), external_id: 'user-1' })).toEqual(TAKEN);
    const other = await service.partner(made.program);
    expect(await asOwner(made, 'PATCH', `/partners/${other.partnerId}`, { external_id: 'user-1' })).toEqual(TAKEN);
    expect(await idsIn(made)).toEqual([...before, { external_id: null, partner_id: other.partnerId }]);
    // Another program has ids of its own.
    const sibling = { ...made, ...(await service.program({ workspaceId: made.workspaceId })) };
    const joined = await put(sibling, 'user-1', newPartner());
    expect(joined.body.data).toMatchObject({ external_id: 'user-1', is_new: true });
  });

  it('adds one partner however many requests come at the same moment, and one of them gets the id', async () => {
    const made = await ownedProgram(service);
    const partner = newPartner();
    const same = await Promise.all(Array.from({ length: 6 }, () => put(made, 'same', partner)));
    expect(same.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(same.filter(({ body }) => body.data.is_new)).toHaveLength(1);
    expect(new Set(same.map(({ body }) => body.data.id)).size).toBe(1);
    const rivals = await Promise.all(Array.from({ length: 6 }, () => put(made, 'rival', newPartner())));
    expect(rivals.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    expect(rivals.find(({ status }) => status === 409)).toEqual(TAKEN);
    const ids = (await idsIn(made)).map(({ external_id: id }) => id);
    expect(ids.sort()).toEqual([null, 'rival', 'same'].sort());
  });

  it('refuses ids that cannot be part of an address', async () => {
    const made = await ownedProgram(service);
    const message = 'external_id must be 1 to 255 characters without spaces, and neither . nor ..';
    for (const id of ['user 42', '%20', 'a\u2028b']) {
      const { status, body } = await put(made, id === '%20' ? ' ' : id, newPartner());
      const expected = badRequest(message);
      expect({ status, body }).toEqual({
        status: 400,
        body: { ...expected, error: { ...expected.error, details: { field: 'external_id' } } },
      });
    }
    expect((await put(made, 'x'.repeat(256), newPartner())).status).toBe(404);
  });
});

it('the id of a partner is in the list, its filter, its file and their own row, until it is taken away', async () => {
  const made = await ownedProgram(service);
  await service.partner(made.program);
  const changed = await asOwner(made, 'PATCH', `/partners/${made.partnerId}`, { external_id: 'üser?42' });
  expect(changed).toMatchObject({ status: 200, body: { data: { external_id: 'üser?42' } } });
  const query = `external_id=${encodeURIComponent('üser?42')}`;
  const { body: listed } = await asOwner(made, 'GET', `/partners?${query}&totals=true`);
  expect(listed).toMatchObject({ data: [{ id: made.partnerId, external_id: 'üser?42' }], meta: { count: 1 } });
  const file = await service.call('GET', manage(made, `/export/partners.csv?${query}`), { key: made.owner.token });
  const [titles = [], cells = [], ...others] = file.text.replace('\ufeff', '').trim().split('\r\n').map(csvCells);
  expect({ id: cells[titles.indexOf('external_id')], others }).toEqual({ id: 'üser?42', others: [] });
  const path = `/partners/by-external-id/${encodeURIComponent('üser?42')}`;
  expect(await asOwner(made, 'GET', path)).toEqual(await asOwner(made, 'GET', `/partners/${made.partnerId}`));
  const bulk = { status: 'blocked', filter: { external_id: 'nobody' }, count: 0 };
  expect((await asOwner(made, 'POST', '/bulk-actions/change-partners', bulk)).body.data).toMatchObject({ total: 0 });

  const cleared = await asOwner(made, 'PATCH', `/partners/${made.partnerId}`, { external_id: null });
  expect(cleared.body.data.external_id).toBeNull();
  expect((await asOwner(made, 'GET', path)).status).toBe(404);
  expect((await asOwner(made, 'GET', `/partners?${query}`)).body.data).toEqual([]);
});

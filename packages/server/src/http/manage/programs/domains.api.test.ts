import { manage, memberOf, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { newHost, setRecord, sharedDns } from '@svc/testkit/service/dns.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

function asOwner(made: OwnedProgram) {
  const key = made.owner.token;
  return {
    add: (host: string) => service.call('POST', manage(made, '/domains'), { key, body: { host } }),
    list: async () => (await service.call('GET', manage(made, '/domains'), { key })).body.data,
    verify: (id: number) => service.call('POST', manage(made, `/domains/${id}/verify`), { key }),
    remove: (id: number) => service.call('DELETE', manage(made, `/domains/${id}`), { key }),
    log: async () => {
      const { body } = await service.call('GET', `/api/v1/manage/audit?program_id=${made.program.id}`, { key });
      return body.data
        .filter(({ subject }: { subject: string }) => subject === 'domain')
        .map((event: Record<string, unknown>) => [event.action, event.subject_name, event.actor_kind, event.after])
        .reverse();
    },
  };
}

/** A program that has its links on the host. */
async function holderOf(host: string) {
  const made = await ownedProgram(service);
  await setRecord(service, made, host);
  const { body } = await asOwner(made).add(host);
  await asOwner(made).verify(body.data.id);
  return { made, id: body.data.id, ...asOwner(made) };
}

it('a host is pending until its TXT record is there, and active from then on, whatever becomes of the record', async () => {
  const made = await ownedProgram(service);
  const owner = asOwner(made);
  const host = newHost();
  const added = await owner.add(` ${host.toUpperCase()}. `);
  const record = { type: 'TXT', name: `_svc.${host}`, value: expect.stringMatching(/^svc-verify=[0-9a-f]{40}$/) };
  const domain = { id: expect.any(Number), host, status: 'pending', record };
  expect({ status: added.status, body: added.body }).toEqual({ status: 201, body: { data: domain } });
  const { id, record: asked } = added.body.data;
  expect(service.ctx.lookup.hosts.find(host)).toBeUndefined();

  const message = `There is no TXT record ${asked.name} with the value ${asked.value} yet. New records can take an hour to be seen.`;
  const missing = platformError(409, 'ConflictError', message, { record: asked });
  expect((await owner.verify(id)).body).toEqual(missing);
  const dns = await sharedDns();
  dns.set(asked.name, 'v=spf1 -all', `${asked.value}0`, 'svc-verify=');
  expect((await owner.verify(id)).body).toEqual(missing);
  expect((await owner.list())[0].status).toBe('pending');

  dns.set(asked.name, 'v=spf1 -all', [asked.value.slice(0, 20), asked.value.slice(20)]);
  const verified = await owner.verify(id);
  expect({ status: verified.status, body: verified.body }).toEqual({
    status: 200,
    body: { data: { ...added.body.data, status: 'active' } },
  });
  expect(service.ctx.lookup.hosts.find(host)).toEqual({ programId: made.program.id, site: 'acme.test' });
  expect(service.ctx.lookup.hosts.ofProgram(made.program.id)).toBe(host);

  dns.set(asked.name);
  const asks = dns.asked(asked.name);
  expect((await owner.verify(id)).body.data.status).toBe('active');
  expect((await owner.add(host)).body.data).toEqual({ ...added.body.data, status: 'active' });
  expect(dns.asked(asked.name)).toBe(asks);

  expect((await owner.remove(id)).body).toEqual({ data: {} });
  expect(service.ctx.lookup.hosts.find(host)).toBeUndefined();
  expect((await owner.remove(id)).status).toBe(404);
  expect(await owner.list()).toEqual([]);
  expect(await owner.log()).toEqual([
    ['domain.added', host, 'token', { status: 'pending' }],
    ['domain.activated', host, 'token', {}],
    ['domain.deleted', host, 'token', {}],
  ]);
});

it('the value of the record is another one for each program and host, and is not stored', async () => {
  const [one, other] = [asOwner(await ownedProgram(service)), asOwner(await ownedProgram(service))];
  const [first, second] = [newHost(), newHost()];
  const answers = [await one.add(first), await one.add(second), await other.add(first)];
  const values: string[] = answers.map(({ body }) => body.data.record.value);
  expect(new Set(values).size).toBe(3);
  const [{ stored }] = (await service.sql<{ stored: string }>(
    'select json_agg(d)::text as stored from link_domains d',
  )) as [{ stored: string }];
  for (const value of values) expect(stored).not.toContain(value.slice('svc-verify='.length));
});

it('an international name is kept as browsers send it', async () => {
  const { body } = await asOwner(await ownedProgram(service)).add('Bücher.Example');
  expect(body.data).toMatchObject({ host: 'xn--bcher-kva.example', record: { name: '_svc.xn--bcher-kva.example' } });
});

describe('a host on which another program has its links', () => {
  it('409 with the record until it is seen; then the host moves, and the log and the list of the other program say so', async () => {
    const host = newHost();
    const before = await holderOf(host);
    const made = await ownedProgram(service);
    const owner = asOwner(made);
    const refused = await owner.add(host);
    const { record } = refused.body.error.details;
    expect(record).toEqual({ type: 'TXT', name: `_svc.${host}`, value: expect.stringMatching(/^svc-verify=/) });
    const message = `Another program has its links on ${host}. To move the host here, set the TXT record ${record.name} to ${record.value}, remove other values that begin with svc-verify=, and add the host again.`;
    expect(refused.body).toEqual(platformError(409, 'ConflictError', message, { field: 'host', record }));
    expect([await owner.list(), (await before.list())[0].status]).toEqual([[], 'active']);

    await setRecord(service, made, host);
    const moved = await owner.add(host);
    expect({ status: moved.status, body: moved.body }).toEqual({
      status: 201,
      body: { data: { id: expect.any(Number), host, status: 'active', record } },
    });
    expect(service.ctx.lookup.hosts.find(host)?.programId).toBe(made.program.id);
    expect((await before.list())[0]).toMatchObject({ id: before.id, host, status: 'pending' });
    expect(await owner.log()).toEqual([['domain.added', host, 'token', { status: 'active' }]]);
    expect((await before.log()).at(-1)).toEqual(['domain.lost', host, 'job', { status: 'pending' }]);
    // The record of the one who lost it is gone.
    expect((await before.verify(before.id)).status).toBe(409);
  });

  it('moves too when it was pending here before the other program got it, and verifying sees the record', async () => {
    const host = newHost();
    const made = await ownedProgram(service);
    const { body } = await asOwner(made).add(host);
    const before = await holderOf(host);
    await setRecord(service, made, host);
    expect((await asOwner(made).verify(body.data.id)).body.data.status).toBe('active');
    expect((await before.list())[0].status).toBe('pending');
  });

  it('stays there while the record of that program is, so that nobody takes it back by a record that was left behind', async () => {
    const host = newHost();
    const before = await holderOf(host);
    const made = await ownedProgram(service);
    const owner = asOwner(made);
    const { record } = (await owner.add(host)).body.error.details;
    const [{ record: other }] = await before.list();
    const dns = await sharedDns();
    dns.set(record.name, other.value, record.value);
    expect((await owner.add(host)).body.error.details).toEqual({ field: 'host', record });
    dns.set(record.name, record.value);
    expect((await owner.add(host)).body.data.status).toBe('active');
    dns.set(record.name, other.value, record.value);
    const again = await before.verify(before.id);
    expect([again.status, again.body.error.details]).toEqual([409, { field: 'host', record: other }]);
    expect((await before.add(host)).body.data.status).toBe('pending');
    expect(service.ctx.lookup.hosts.find(host)?.programId).toBe(made.program.id);
  });

  it('is free again once that program is deleted', async () => {
    const host = newHost();
    const before = await holderOf(host);
    await service.sql('delete from links where program_id = $1', [before.made.program.id]);
    await service.sql('delete from memberships where program_id = $1', [before.made.program.id]);
    const gone = await service.call('DELETE', manage(before.made), { key: before.made.owner.token });
    expect(gone.status).toBe(200);
    await expect.poll(() => service.ctx.lookup.hosts.find(host)).toBeUndefined();
    const made = await ownedProgram(service);
    const added = await asOwner(made).add(host);
    expect([added.status, added.body.data.status]).toEqual([201, 'pending']);
    await setRecord(service, made, host);
    expect((await asOwner(made).verify(added.body.data.id)).body.data.status).toBe('active');
  });

  it('of several programs that prove it at the same time, one has it in the end', async () => {
    const host = newHost();
    await holderOf(host);
    const all = await Promise.all(Array.from({ length: 4 }, () => ownedProgram(service)));
    const records = await Promise.all(
      all.map(async (made) => (await asOwner(made).add(host)).body.error.details.record),
    );
    (await sharedDns()).set(`_svc.${host}`, ...records.map(({ value }) => value));
    const answers = await Promise.all(all.map((made) => asOwner(made).add(host)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const active = await service.sql(`select program_id from link_domains where host = $1 and status = 'active'`, [
      host,
    ]);
    expect(active).toHaveLength(1);
    expect(service.ctx.lookup.hosts.find(host)?.programId).toBe(active[0]?.program_id);
  });
});

it.each(['refused', 'silent'] as const)('503 when the DNS servers do not answer: %s', async (how) => {
  const owner = asOwner(await ownedProgram(service));
  const { id, record } = (await owner.add(newHost())).body.data;
  (await sharedDns()).fail(record.name, how);
  const { status, body, headers } = await owner.verify(id);
  const message = `The DNS servers did not answer when we looked up ${record.name}. Try again in a moment.`;
  expect({ status, body }).toEqual({ status: 503, body: platformError(503, 'ServiceUnavailableError', message) });
  expect(headers['retry-after']).toBe('10');
  expect((await owner.list())[0].status).toBe('pending');
});

it('409 beyond the highest number of hosts, also at the same time', async () => {
  const owner = asOwner(await ownedProgram(service));
  const answers = await Promise.all(Array.from({ length: 7 }, () => owner.add(newHost())));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 409, 409]);
  const message = 'The program has 5 link hosts, which is the most. Remove one first.';
  expect(answers.find(({ status }) => status === 409)?.body).toEqual(platformError(409, 'ConflictError', message));
  expect(await owner.list()).toHaveLength(5);
});

it('the site of the program moves: its host leads to the new one', async () => {
  const host = newHost();
  const { made } = await holderOf(host);
  const key = made.owner.token;
  expect((await service.call('PATCH', manage(made), { key, body: { domain: 'acme.example' } })).status).toBe(200);
  await expect.poll(() => service.ctx.lookup.hosts.find(host)?.site).toBe('acme.example');
});

it('viewers see the hosts and may not change them', async () => {
  const { made, id, list } = await holderOf(newHost());
  const { token: key } = await memberOf(service, made.workspaceId, 'viewer');
  expect((await service.call('GET', manage(made, '/domains'), { key })).body.data).toEqual(await list());
  const body = { host: newHost() };
  expect((await service.call('POST', manage(made, '/domains'), { key, body })).status).toBe(403);
  expect((await service.call('POST', manage(made, `/domains/${id}/verify`), { key })).status).toBe(403);
  expect((await service.call('DELETE', manage(made, `/domains/${id}`), { key })).status).toBe(403);
});

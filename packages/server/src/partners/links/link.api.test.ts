import { manage, ownedProgram, partnerAccount } from '@svc/testkit/service/accounts.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { badRequest } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const REFUSED = badRequest(
  'destination_url must lead to https://acme.test, to an https subdomain of it, or to one of the program’s allowed ' +
    'origins. The brand can allow more in the dashboard: program Settings, Origins.',
);

const MALFORMED = badRequest(
  'destination_url must be a web address, without a user name, a password, backslashes or control characters',
);

async function programAllowing(allowedOrigins: string[]) {
  const made = await ownedProgram(service, { allowedOrigins });
  const { token } = await partnerAccount(service, made.partnerId);
  const linksOf = () => service.sql('select destination_url from links where program_id = $1', [made.program.id]);
  const addAs = (key: string, destination_url: string) =>
    service.call('POST', manage(made, '/links'), { key, body: { partner_id: made.partnerId, destination_url } });
  return { made, token, linksOf, addAs };
}

describe('a link leads to the program’s own site or to an origin that the brand allows', () => {
  it.each([
    'https://acme.test',
    'https://acme.test:443/pricing?a=1#b',
    'https://shop.acme.test/',
    'https://ACME.test/',
    'https://landing.example/offer',
    'http://localhost:3000/a',
  ])('%s is allowed', async (url) => {
    const { made, token, addAs } = await programAllowing(['https://landing.example', 'http://localhost:3000']);
    for (const key of [made.owner.token, token]) expect((await addAs(key, url)).status).toBe(201);
  });

  it.each([
    'https://evil.test/',
    'https://acme.test.evil.test/',
    'https://evilacme.test/',
    'https:evil.test',
    'https:/evil.test/',
    '//evil.test/',
    'https://evil.test/?https://acme.test',
    'http://acme.test/',
    'http://shop.acme.test/',
    'https://acme.test:8443/',
    'https://other.landing.example/',
    'http://landing.example/',
  ])('%s is refused, for the partner and for the brand', async (url) => {
    const { made, token, linksOf, addAs } = await programAllowing(['https://landing.example']);
    const before = await linksOf();
    for (const key of [token, made.owner.token]) {
      expect(await addAs(key, url)).toMatchObject({ status: 400, body: REFUSED });
    }
    expect(await linksOf()).toEqual(before);
  });

  it.each([
    'https://acme.test@evil.test/',
    'https://user:pass@acme.test/',
    'https://user@acme.test/',
    'https://:pass@acme.test/',
    'https://acme.test\\@evil.test/',
    'https:\\\\acme.test/',
    'https://acme.test/a\\b',
    '/\\evil.test/',
    'https://acme.test/\r\nX: y',
    'https://acme.test/\u0085',
    'ht\ttps://acme.test/',
    '/pri\ncing',
  ])('%j is refused as malformed, in new links and in changes', async (url) => {
    const { made, token, linksOf, addAs } = await programAllowing([]);
    const before = await linksOf();
    const [link] = await service.sql<{ id: number }>('select id from links where program_id = $1', [made.program.id]);
    const change = (key: string) =>
      service.call('PATCH', manage(made, `/links/${link?.id}`), { key, body: { destination_url: url } });
    for (const key of [token, made.owner.token]) {
      for (const answer of [await addAs(key, url), await change(key)]) {
        expect(answer).toMatchObject({ status: 400, body: MALFORMED });
      }
    }
    expect(await linksOf()).toEqual(before);
  });

  it.each([
    ['HTTPS://ACME.test/Pricing/../a b?x=é', 'https://acme.test/a%20b?x=%C3%A9'],
    ['https:acme.test', 'https://acme.test/'],
    ['https://acme.test:443', 'https://acme.test/'],
    ['/pricing', 'https://acme.test/pricing'],
  ])('%s is stored as the address that browsers open', async (given, stored) => {
    const { made, token, addAs } = await programAllowing([]);
    const { body } = await addAs(token, given);
    expect(body.data.destination_url).toBe(stored);
    const changed = await service.call('PATCH', manage(made, `/links/${body.data.id}`), {
      ...{ key: token, body: { destination_url: given } },
    });
    expect(changed.body.data.destination_url).toBe(stored);
  });

  it('existing links keep working', async () => {
    const { made, token } = await programAllowing([]);
    await service.sql(`update links set destination_url = 'https://elsewhere.test/' where program_id = $1`, [
      made.program.id,
    ]);
    const { body } = await service.call('GET', manage(made, '/links'), { key: token });
    expect(body.data).toMatchObject([{ url: `https://elsewhere.test/?aff=${made.link}`, active: true }]);
    const [{ id }] = body.data;
    for (const active of [false, true]) {
      const answer = await service.call('PATCH', manage(made, `/links/${id}`), { key: token, body: { active } });
      expect(answer.status).toBe(200);
    }
    expect(await service.clickId(made.link)).toMatch(/^cust_/);
  });
});

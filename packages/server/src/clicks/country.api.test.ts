import { writeFile } from 'node:fs/promises';
import { manage, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { countryDatabase } from '@svc/testkit/service/country-database.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';
import { rollUpFacets } from '../jobs/roll-up-facets.ts';
import { openCountryLookup } from './open-country-lookup.ts';

const path = await countryDatabase({ 81: 'DE', 82: 'FR' });

describe('openCountryLookup', () => {
  it('finds the country of an address, and never fails', async () => {
    const countryOf = await openCountryLookup(path);
    expect(['81.2.69.160', '::ffff:81.2.3.4', '82.1.1.1'].map(countryOf)).toEqual(['DE', 'DE', 'FR']);
    const unknown = ['83.2.69.160', '2001:db8::1', '', 'not an address'];
    expect(unknown.map(countryOf)).toEqual(unknown.map(() => undefined));
  });

  it('names the file that cannot be read', async () => {
    await expect(openCountryLookup('/nowhere/countries.mmdb')).rejects.toThrow(
      'SVC_GEOIP_DATABASE: /nowhere/countries.mmdb cannot be read: ENOENT',
    );
    const broken = `${path}.broken`;
    await writeFile(broken, 'not a database');
    await expect(openCountryLookup(broken)).rejects.toThrow(`SVC_GEOIP_DATABASE: ${broken} cannot be read`);
  });
});

describe('clicks where a database of countries is configured', () => {
  const service = useService({ SVC_GEOIP_DATABASE: path });

  it('are counted by country, and the address is not stored', async () => {
    const on = await ownedProgram(service);
    for (const ip of ['81.2.69.160', '198.51.100.7']) {
      await service.click({ affiliate_url: `https://acme.test/?aff=${on.link}` }, { ip });
    }
    service.advance({ seconds: 120 });
    await rollUpFacets.run(service.ctx);
    const to = new Date(service.time.getTime() + 86_400_000).toISOString().slice(0, 10);
    const { body } = await service.call('GET', manage(on, `/breakdown?by=country&to=${to}`), { key: on.owner.token });
    expect(body.data.available).toContain('country');
    const row = { clicks: 1, leads: 0, first_sales: 0, sales: 0, conversion_rate: 0, money: [], id: null };
    expect(body.data.rows).toEqual([
      { kind: 'none', value: null, name: 'Unknown', ...row },
      { kind: 'value', value: 'DE', name: 'Germany', ...row },
    ]);
    const stored = await service.sql('select to_jsonb(clicks)::text as row from clicks where program_id = $1', [
      on.program.id,
    ]);
    expect(JSON.stringify(stored)).not.toContain('81.2.69');
  });
});

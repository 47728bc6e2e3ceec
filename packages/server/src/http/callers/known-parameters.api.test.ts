import { routes } from '@svc/contract';
import { manage, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { pathOf } from '@svc/testkit/service/routes/shared-requests.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const refusal = (message: string, field: string) => ({
  status: 400,
  body: platformError(400, 'BadRequestError', message, { field }),
});

describe('parameters that a route does not have', () => {
  it('are refused on every route of accounts, whatever it does', async () => {
    const { owner } = await ownedProgram(service);
    for (const route of routes.filter(({ auth }) => auth === 'account')) {
      const { status, body } = await service.call(route.method, `${pathOf(route)}?unheard_of=1`, { key: owner.token });
      const expected = refusal('Unknown query parameter: "unheard_of"', 'unheard_of');
      expect({ route: route.id, status, body }).toEqual({ route: route.id, ...expected });
    }
  });

  it('are named, each with the one that is probably meant', async () => {
    const made = await ownedProgram(service);
    const ask = async (query: string, key: string | undefined = made.owner.token) => {
      const { status, body } = await service.call('GET', manage(made, `/commissions?${query}`), { key });
      return { status, body };
    };
    const meant = 'Unknown query parameter: "sttaus" (did you mean status?)';
    expect(await ask('sttaus=paid')).toEqual(refusal(meant, 'sttaus'));
    const several = 'Unknown query parameters: "Limit" (did you mean limit?), "", "fields"';
    expect(await ask('Limit=1&=&fields=id&stage=paid')).toEqual(refusal(several, 'Limit'));
    const long = `${'a'.repeat(100)}`;
    expect(await ask(`${'a'.repeat(2_000)}=1`)).toEqual(refusal(`Unknown query parameter: "${long}"`, long));
    // What is known is judged as before, and who may not ask is not told anything else.
    expect((await ask('stage=paid&limit=1')).status).toBe(200);
    expect((await ask('sttaus=paid', 'svc_at_unknown')).status).toBe(401);
  });

  it('are ignored where the specification says so, and by the link to unsubscribe, which mail services add theirs to', async () => {
    const { apiKey: key } = await service.program();
    expect((await service.call('GET', '/api/v1/programs/me/readiness?utm_source=a', { key })).status).toBe(200);
    const left = await service.call('POST', '/api/v1/manage/mail/unsubscribe?token=none&utm_source=a');
    expect(left.body.error.message).not.toContain('utm_source');
  });
});

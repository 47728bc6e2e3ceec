import { ownedProgram, partnerAccount } from '@svc/testkit/service/accounts.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';

const service = useService();

it('a postback that is being deleted does not hold up the feed', async () => {
  const made = await ownedProgram(service);
  const { token } = await partnerAccount(service, made.partnerId);
  const path = `/api/v1/manage/me/programs/${made.program.id}/postback`;
  await service.call('PUT', path, { key: token, body: { url: 'https://tracker.example/' } });
  const types = async (wait = 0) => {
    const feed = `/api/v1/events?types=commission.created&wait=${wait}`;
    return (await service.call('GET', feed, { key: made.apiKey })).body.data.map(({ type }: { type: string }) => type);
  };
  await service.ctx.db.transaction(async (tx) => {
    await tx.query('delete from postbacks where program_id = $1', [made.program.id]);
    await sold(service, made);
    // Another connection numbers events while the row is being deleted.
    expect(await types(20)).toEqual(['commission.created']);
  });
  await service.ctx.numbering.idle();
  expect(await types()).toEqual(['commission.created']);
  expect(await service.sql('select 1 from postback_calls')).toEqual([]);
  expect(service.logLines.filter((line) => line.includes('Numbering events failed'))).toEqual([]);
});

import { expect } from 'vitest';
import { manage, memberOf } from './accounts.ts';
import type { StoredDecision } from './decisions.ts';
import { mcpClient } from './mcp-client.ts';
import type { TestProgram, TestService } from './service.ts';

/** Asks every route that reads the facts of decisions about this one, and expects each to answer. */
export async function expectReadable(service: TestService, on: TestProgram, decision: StoredDecision): Promise<void> {
  const owner = await memberOf(service, on.workspaceId);
  const answers = async (method: string, path: string, body?: object) => {
    const answer = await service.call(method, manage(on, path), { key: owner.token, body });
    expect({ path, status: answer.status, body: answer.body }).toMatchObject({ path, status: 200 });
    return answer.body.data;
  };
  const { refused } = await answers('GET', '/setup');
  if (['refused', 'not_attributed'].includes(decision.outcome) && decision.kind !== 'commission') {
    expect(refused[0]).toMatchObject({ kind: decision.kind, reason: decision.reason });
  }
  await answers('GET', '/readiness');
  const { run } = await mcpClient(service, owner);
  expect(await run('diagnose_tracking', { program_id: on.program.id })).toMatchObject({ isError: false });
  const events: { id: number }[] = await answers('GET', '/events?outcome=all');
  if (['lead', 'sale', 'refund'].includes(decision.kind)) {
    expect(events.map(({ id }) => id)).toContain(decision.id);
  }
  if (decision.customer_id !== null) {
    const { journey } = await answers('GET', `/customers/${decision.customer_id}`);
    expect(journey).toContainEqual(expect.objectContaining({ type: decision.kind, id: decision.id }));
    await answers('GET', `/customers/${decision.customer_id}/export`);
  }
  const { transaction_id } = decision;
  if (transaction_id !== null) {
    const explained = await answers('GET', `/explain?transaction_id=${transaction_id}`);
    expect(explained).toContainEqual(expect.objectContaining({ reason: decision.reason, facts: decision.facts }));
    const isMember = decision.reason !== 'membership_missing';
    const { partnerId: partner_id } = isMember ? on : await service.partner(on.program);
    expect((await answers('POST', '/questions', { partner_id, transaction_id })).answers).toHaveLength(1);
  }
}

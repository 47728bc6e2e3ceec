import { atOnce, statusCounts, useTwoNodes } from '@svc/testkit/service/processes/two-nodes.ts';
import { expect, it } from 'vitest';

const nodes = useTwoNodes();
const [service] = nodes;

it('of fifteen concurrent synthetic chains on two nodes, ten run and five get 429; they share one fixture', async () => {
  const { apiKey, program } = await service.program();
  const answers = await atOnce(nodes, 15, (node) =>
    node.call('POST', '/api/v1/cli/test-event', { key: apiKey, body: { type: 'chain' } }),
  );
  expect(statusCounts(answers)).toEqual({ 200: 10, 429: 5 });
  const verdicts = answers.filter(({ status }) => status === 200).map(({ body }) => body.data.verdict);
  expect(verdicts).toEqual(Array(10).fill({ click: 'attributed', lead: 'attributed', sale: 'attributed' }));
  const sales = await service.sql('select 1 from sales where program_id = $1 and is_test', [program.id]);
  expect(sales).toHaveLength(10);
  expect(await service.sql('select 1 from links where program_id = $1 and is_test', [program.id])).toHaveLength(1);
});
